"""What a report tells of one game alone, one file a game; each offers a ``GameReport`` as ``REPORT``."""
