"""Tests of dealer/report."""
