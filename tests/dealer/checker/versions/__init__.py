"""Tests of versions: house bots that answer, and what differences in chips are worth."""
