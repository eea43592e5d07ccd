"""Exit codes of the ``casino`` command; 0 is done."""

FAILED = 1
"""It could not be done."""

BAD_USAGE = 2
"""A flag, argument or file cannot be used."""

INTERRUPTED = 130
"""Stopped at once by Ctrl-C."""
