"""The standings of the last seconds, with which gains and losses are compared."""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

#: Seconds back to the standings that gains and losses are compared with.
RECENT_SECONDS = 15.0


class Stood(NamedTuple):
    """The place and chips of a player at some moment."""

    place: int
    chips: int


class Recent:
    """The standings of the last ``RECENT_SECONDS``, noted at most once a second."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, Mapping[int, Stood]]] = deque()

    def note(self, now: float, stood: Mapping[int, Stood]) -> None:
        """Note the standings, by the players' numbers.

        Args:
            now: a time in seconds.
            stood: place and chips of each player.
        """
        if not self._notes or now >= self._notes[-1][0] + 1:
            self._notes.append((now, stood))
        while self._notes[0][0] < now - RECENT_SECONDS:
            self._notes.popleft()

    def before(self, player: int) -> Stood | None:
        """The oldest standing of a player that is remembered; None if the player was not there."""
        return self._notes[0][1].get(player) if self._notes else None
