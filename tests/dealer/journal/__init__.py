"""Tests of dealer/journal."""
