"""Tests of dealer/desk."""
