"""What has been: chips over hands for the curves, and how things stood a moment ago. Bounded, however long it takes."""

from collections import deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

#: Of each curve; a projector has not many more pixels to tell them apart.
POINTS = 240

#: Against how long ago gains and losses are shown.
RECENT_SECONDS = 15.0

#: Over how long a rate is taken; shorter, and it jumps.
RATE_SECONDS = 3.0


class Point(NamedTuple):
    """Chips of every player after so many hands; None for who was out already at the point before."""

    hand: int
    chips: tuple[int | None, ...]


class Curves:
    """Chips over hands. When there are too many points, every other one is forgotten."""

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._last: Point | None = None
        self._stride = 1
        self._gone: AbstractSet[int] = frozenset()

    @property
    def empty(self) -> bool:
        """Whether nothing was noted yet."""
        return self._last is None

    def due(self, hand: int) -> bool:
        """Whether ``hand`` hands are so many that there is to be a point for them."""
        return not self._points or hand >= self._points[-1].hand + self._stride

    def note(self, hand: int, chips: Sequence[int | None], gone: AbstractSet[int] = frozenset()) -> None:
        """How things stand after ``hand`` hands; those may not become fewer. ``gone`` are the players who are out."""
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
        """The curves, the last point being how things stood when last noted."""
        if self._last is None or self._last.hand == self._points[-1].hand:
            return self._points[:-1] + ([self._last] if self._last else [])
        return [*self._points, self._last]


class Stood(NamedTuple):
    """How a player stood."""

    place: int
    chips: int


class Recent:
    """How everybody stood during the last seconds, noted at most once a second."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, Mapping[int, Stood]]] = deque()

    def note(self, now: float, stood: Mapping[int, Stood]) -> None:
        """How everybody stands, by the player's number."""
        if not self._notes or now >= self._notes[-1][0] + 1:
            self._notes.append((now, stood))
        while self._notes[0][0] < now - RECENT_SECONDS:
            self._notes.popleft()

    def before(self, player: int) -> Stood | None:
        """How a player stood some seconds ago, as far back as is remembered; None if it was not there."""
        return self._notes[0][1].get(player) if self._notes else None


class Rate:
    """How fast numbers grow, each second."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, int]] = deque()

    def note(self, now: float, count: int) -> None:
        """What the number is."""
        self._notes.append((now, count))
        while len(self._notes) > 2 and self._notes[1][0] < now - RATE_SECONDS:
            self._notes.popleft()

    @property
    def per_second(self) -> float:
        """Growth a second, lately."""
        if len(self._notes) < 2:
            return 0.0
        (then, few), (now, many) = self._notes[0], self._notes[-1]
        return max(0.0, (many - few) / (now - then)) if now > then else 0.0
