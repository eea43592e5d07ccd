"""Tests of dealer/workers."""
