"""Tests of dealer/net."""
