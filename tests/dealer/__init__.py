"""Tests of the package that runs the tables."""
