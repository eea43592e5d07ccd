"""Tests of dealer/sandbox."""
