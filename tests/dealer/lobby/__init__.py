"""Tests of dealer/lobby."""
