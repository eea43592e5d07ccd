"""Tests of dealer/tournament."""
