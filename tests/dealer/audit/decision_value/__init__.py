"""Tests of what a decision was worth."""
