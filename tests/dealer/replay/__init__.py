"""Tests of dealer/replay."""
