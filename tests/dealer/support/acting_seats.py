"""Connections without sockets, for tests of a table alone."""

from collections.abc import Callable
from typing import cast

from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.net.seat import Seat
from dealer.tournament.between_hands import BetweenHands
from dealer.tournament.presence import Presence
from dealer.tournament.table import Table
from protocol.games.base import Action, Status, Turn

#: Answers a turn, or raises what comes of it.
Answer = Callable[[Turn], Action]


class ActingSeat:
    """A connection at whose other end a function answers.

    Attributes:
        told: every status that was told, in order.
        reply_seconds: see ``Seat``; a millisecond more for each reply.
        heard, hastened: see ``Seat``.
    """

    def __init__(self, answer: Answer) -> None:
        self.told: list[Status] = []
        self.reply_seconds = 0.0
        self.heard, self.hastened = b"", False
        self._answer = answer

    async def ask(self, turn: Turn) -> Action:
        self.reply_seconds += 0.001
        return self._answer(turn)

    def tell(self, status: Status) -> None:
        self.told.append(status)


def acting_seat(answer: Answer) -> Seat:
    """An ``ActingSeat``, as a table takes it."""
    return cast(Seat, ActingSeat(answer))


def told(seat: Seat) -> list[Status]:
    return cast(ActingSeat, seat).told


def table_of(ledger: Ledger, journal: Journal | None = None, *, log_steps: bool = False) -> Table:
    """The first table of a ledger, ready to play."""
    journal = journal or Journal(None)
    presence = Presence(ledger, journal, None)
    pauses = BetweenHands(ledger, journal, presence).action_pauses()
    return Table(ledger.seating.tables[0], ledger, journal, presence, pauses, log_steps=log_steps)
