"""Connections without sockets, for tests of a table alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from dealer.faults import SeatLost
from dealer.net.seat import Seat
from protocol.games.base import Action, Status, Turn

#: Answers a turn, or raises what comes of it.
Answer = Callable[[Turn], Action]


class ActingSeat:
    """A connection at whose other end a function answers.

    Attributes:
        told: every status that was told, in order.
        reply_seconds: see ``Seat``; a millisecond more for each reply.
    """

    def __init__(self, answer: Answer) -> None:
        self.told: list[Status] = []
        self.reply_seconds = 0.0
        self._answer = answer

    async def ask(self, turn: Turn) -> Action:
        """See ``Seat``."""
        self.reply_seconds += 0.001
        return self._answer(turn)

    def tell(self, status: Status) -> None:
        """See ``Seat``."""
        self.told.append(status)


def acting_seat(answer: Answer) -> Seat:
    """An ``ActingSeat``, as a table takes it."""
    return cast(Seat, ActingSeat(answer))


def told(seat: Seat) -> list[Status]:
    """What an ``ActingSeat`` was told."""
    return cast(ActingSeat, seat).told


@dataclass
class Chair:
    """A player as a table in another process knows it: a connection and nothing else."""

    seat: Seat | None


async def never_lost(number: int, lost: SeatLost) -> bool:
    """The judge of a table at which everybody answers well."""
    raise AssertionError(f"player {number}: {lost}")
