"""Tests of whoever runs the table."""
