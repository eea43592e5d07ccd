"""What each game adds to the seat for a person, one file a game; each offers a ``GameSeat`` as ``SEAT``."""
