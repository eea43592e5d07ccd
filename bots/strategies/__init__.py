"""The house bots, one a file."""
