"""How fast tables deal: as fast as it goes, at the host's pace, or not at all for now."""

from math import inf

import trio

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
        self._changed = trio.Event()

    def pause(self) -> None:
        """Let every table finish the hand it plays, and then wait."""
        self.paused = True
        self.announce()

    def resume(self) -> None:
        """Let tables deal again."""
        self.paused = False
        self.announce()

    def set_pace(self, seconds: float) -> None:
        """From now on a hand takes at least so many seconds, 0 to ``SLOWEST_PACE``."""
        self.pace = seconds
        self.announce()

    def due(self, dealt: float) -> float:
        """The trio time at which a table that dealt at ``dealt`` may deal again; infinite while nobody may."""
        return inf if self.paused else dealt + self.pace

    async def changed(self) -> None:
        """Wait until something is announced."""
        await self._changed.wait()

    def announce(self) -> None:
        """Wake every table that waits between two hands, so that it looks again at what there is to do."""
        self._changed.set()
        self._changed = trio.Event()
