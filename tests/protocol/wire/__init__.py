"""Tests of the text and the framing of messages."""
