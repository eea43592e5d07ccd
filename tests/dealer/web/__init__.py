"""Tests of dealer/web."""
