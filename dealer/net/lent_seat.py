"""A seat that is lent to another process: what both must know of its session, and what its owner asks of the other.

The process that accepted a connection keeps its socket. A worker process gets a duplicate of it and the state of the
session, plays hands with it, and gives the state back when its owner asks for it.
"""

from typing import NamedTuple, Protocol

from protocol.games.base import Status
from protocol.wire.connection import DealerConnection
from protocol.wire.messages import GameInfo, Shown


class SeatState(NamedTuple):
    """A session between two questions.

    Attributes:
        connection: the dealer's end of the protocol, with unread input and replies that are overdue.
        outgoing: bytes that are still to be sent.
        limit: seconds within which each reply is due.
    """

    connection: DealerConnection
    outgoing: bytes
    limit: float


class Borrower(Protocol):
    """Has a seat for the time being, in another process."""

    @property
    def thinking(self) -> float | None:
        """Seconds that the pending question has been open; None if no question is pending."""

    @property
    def silent(self) -> float | None:
        """Seconds since the last question was answered or lost; None while one is pending, and before the first."""

    def tell(self, message: Status | GameInfo | Shown) -> None:
        """Queue a message that needs no reply."""

    def hasten(self, seconds: float) -> None:
        """See ``Seat.hasten``."""

    def drop(self) -> None:
        """Forget the seat, whose connection ends. A question that is pending is lost."""

    async def give_back(self) -> None:
        """Let the owner have the seat again; returns when it does."""
