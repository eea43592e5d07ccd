"""Tests of dealer/hosting."""
