"""Tests of dealer/cli."""
