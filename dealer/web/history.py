"""The last seconds of a tournament: recent standings, and rates."""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

#: Seconds back to the standings that gains and losses are compared with.
RECENT_SECONDS = 15.0

#: Seconds over which a rate is measured; over a shorter time it jumps.
RATE_SECONDS = 3.0


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


class Rate:
    """The rate at which a count grows, measured over ``RATE_SECONDS``."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, int]] = deque()

    def note(self, now: float, count: int) -> None:
        """Note the count at a time in seconds."""
        self._notes.append((now, count))
        while len(self._notes) > 2 and self._notes[1][0] < now - RATE_SECONDS:
            self._notes.popleft()

    @property
    def per_second(self) -> float:
        """The growth in a second, lately."""
        if len(self._notes) < 2:
            return 0.0
        (then, few), (now, many) = self._notes[0], self._notes[-1]
        return max(0.0, (many - few) / (now - then)) if now > then else 0.0
