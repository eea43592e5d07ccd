"""Tests of dealer/audit."""
