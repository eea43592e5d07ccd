"""Tests of estimates and their intervals."""
