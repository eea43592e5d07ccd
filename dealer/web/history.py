"""The past of a tournament in bounded memory: chips over hands for the curves, recent standings, and rates."""

from collections import deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

#: Points of each curve, at most; a projector has hardly more pixels to tell them apart.
POINTS = 240

#: Seconds back to the standings that gains and losses are compared with.
RECENT_SECONDS = 15.0

#: Seconds over which a rate is measured; over a shorter time it jumps.
RATE_SECONDS = 3.0


class Point(NamedTuple):
    """Chips of every player after so many hands; None for a player who was already out at the point before."""

    hand: int
    chips: tuple[int | None, ...]


class Curves:
    """Chips of every player over hands, in at most ``POINTS`` points.

    When there are more, every other point is dropped and only every second hand is noted from then on. So the points
    stay evenly spread, however long the tournament is.
    """

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._last: Point | None = None
        self._stride = 1
        self._gone: AbstractSet[int] = frozenset()

    @property
    def empty(self) -> bool:
        """True if nothing has been noted yet."""
        return self._last is None

    def due(self, hand: int) -> bool:
        """True if enough hands have been played since the last point for a new one at ``hand`` hands."""
        return not self._points or hand >= self._points[-1].hand + self._stride

    def note(self, hand: int, chips: Sequence[int | None], gone: AbstractSet[int] = frozenset()) -> None:
        """Note the chips after ``hand`` hands.

        Args:
            hand: finished hands; never fewer than at the call before.
            chips: of every player, in the order of their numbers.
            gone: the numbers of the players who are out; their curves end at this point.
        """
        before = self._gone
        self._last = point = Point(hand, tuple([None if at in before else own for at, own in enumerate(chips)]))
        if self.due(hand):
            self._points.append(point)
            self._gone = frozenset(gone)
        if len(self._points) > POINTS:
            self._points = self._points[::2]
            self._stride *= 2

    @property
    def points(self) -> list[Point]:
        """All points; the last one is always the latest that was noted."""
        if self._last is None or self._last.hand == self._points[-1].hand:
            return self._points[:-1] + ([self._last] if self._last else [])
        return [*self._points, self._last]


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
