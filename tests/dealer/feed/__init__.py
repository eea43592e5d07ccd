"""Tests of dealer/feed."""
