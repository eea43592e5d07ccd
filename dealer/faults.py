"""Faults: what a bot can do wrong.

A bot can cause only two exceptions in the dealer: ``SeatLost`` (here) and ``IllegalAction`` (of the rules). Both end in
a recorded ``Fault``, and in ``done:`` with the reason unless the player has lives left.
"""

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The kinds of fault, as journal and standings name them."""

    #: No complete reply within the limit.
    LATE = "late"
    #: A reply that cannot be decoded.
    MALFORMED = "malformed"
    #: A reply that can be decoded but that the rules forbid now.
    ILLEGAL = "illegal"
    #: A message longer than the host allows.
    OVERSIZED = "oversized"
    #: A message that came before its question.
    UNASKED = "unasked"
    #: More bytes or messages in a second than the host allows.
    FLOOD = "flood"
    #: The connection ended.
    GONE = "gone"
    #: The program said that it leaves.
    QUIT = "quit"
    #: The host removed the player; this does not count as a fault of its program.
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one player.

    Attributes:
        kind: what went wrong, in one word.
        reason: what was sent, what was allowed and why, for the student who wrote the program.
    """

    kind: FaultKind
    reason: str


# Not a CasinoError: no command ends because of it. The table turns it into a fault of the player and plays on.
class SeatLost(Exception):
    """A seat did not answer its question.

    Attributes:
        fault: what went wrong.
        connected: whether the session can go on, for a player with lives left. It cannot after an oversized frame, a
            flood, a program that does not read, or the end of the connection.
        reached: whether the question arrived at the other machine, as far as the system knows.
    """

    def __init__(self, kind: FaultKind, reason: str, connected: bool, *, reached: bool = True) -> None:
        super().__init__(reason)
        self.fault = Fault(kind, reason)
        self.connected = connected
        self.reached = reached

    @property
    def may_come_back(self) -> bool:
        """Whether only the connection was lost, so that the player may reconnect."""
        return self.fault.kind is FaultKind.GONE or not self.reached
