"""How fast the tables of a tournament deal: at the host's pace, or not at all during a pause."""

from math import inf

#: The slowest pace that a host can set, in seconds per hand.
SLOWEST_PACE = 5.0


class Tempo:
    """How fast the tables of a tournament deal, as the host has set it.

    Attributes:
        paused: whether no table deals.
        pace: seconds from the beginning of a hand to the beginning of the next one at the same table, at least; 0 is as
            fast as possible.
    """

    def __init__(self) -> None:
        self.paused = False
        self.pace = 0.0

    def due(self, dealt: float) -> float:
        """The trio time at which a table that dealt at ``dealt`` may deal again; infinite during a pause."""
        return inf if self.paused else dealt + self.pace
