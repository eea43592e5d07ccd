"""Tests of the house bots."""
