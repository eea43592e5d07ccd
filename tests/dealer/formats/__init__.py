"""Tests of tournament formats."""
