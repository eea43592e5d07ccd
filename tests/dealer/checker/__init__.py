"""Tests of the checker against real programs, correct ones and faulty ones."""
