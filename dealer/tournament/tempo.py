"""How fast tables deal: as fast as it goes, at the host's pace, or not at all for now."""

from math import inf

SLOWEST_PACE = 5.0
"""Seconds a hand; slower than that nobody watches."""


class Tempo:
    """What all tables of a tournament obey between two hands.

    Attributes:
        paused: whether nobody deals.
        pace: seconds from the beginning of a hand to the beginning of the next one at the same table, at least; 0 is as
            fast as it goes.
    """

    def __init__(self) -> None:
        self.paused = False
        self.pace = 0.0

    def due(self, dealt: float) -> float:
        """The trio time at which a table that dealt at ``dealt`` may deal again; infinite while nobody may."""
        return inf if self.paused else dealt + self.pace
