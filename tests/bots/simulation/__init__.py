"""Tests of bots/simulation."""
