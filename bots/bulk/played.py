"""The result of a tournament that was played to its end, before anything is computed from it."""

from dataclasses import dataclass
from typing import Self

from bots.bulk.failures import Failure


@dataclass(frozen=True, slots=True)
class PlayerMeasures:
    """What was measured of a player in one tournament; None where it cannot be.

    Attributes:
        name: as its file says it; empty if it does not.
        short_name: the same.
        memory: bytes of code, globals and allocated memory.
        init_seconds: processor time of Init.
        timed_calls: calls that were timed.
        timed_seconds: processor time of those; of a program the time until its replies came.
        slow_calls: how many of those took more than a microsecond.
        srand_calls: calls of srand, which do nothing.
    """

    name: str
    short_name: str
    memory: int | None
    init_seconds: float | None
    timed_calls: int
    timed_seconds: float
    slow_calls: int
    srand_calls: int

    @classmethod
    def of_program(cls, name: str, replies: int, seconds: float) -> Self:
        """What is measured of a program over TCP: its replies, by the clock and not by processor time."""
        return cls(name, "", None, None, replies, seconds, 0, 0)


@dataclass(frozen=True, slots=True)
class Played:
    """A tournament that was played.

    Attributes:
        number: in the series, from 0.
        chips: by block, player and opponent in one row: chips won by the player as the first to bet.
        measures: of each player.
        failures: of AIs, in the order of the deals.
        play_seconds: processor time from the first deal to the last, not counting what was played before a failure.
        actions: how often each player did what, as ``cpp/page.h`` lays it out; empty if that was not counted.
    """

    number: int
    chips: tuple[int, ...]
    measures: tuple[PlayerMeasures, ...]
    failures: tuple[Failure, ...]
    play_seconds: float
    actions: bytes = b""
