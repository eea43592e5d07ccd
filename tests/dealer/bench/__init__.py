"""Tests of dealer/bench."""
