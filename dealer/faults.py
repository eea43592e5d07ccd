"""What a bot can do wrong, in one place.

A bot can raise nothing in the dealer but ``SeatLost`` (here) and ``IllegalAction`` (the rules'). Either ends
in a recorded ``Fault``, and in ``done:`` with the reason unless the player has lives left.
"""

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The kinds of fault, as journal and standings name them; the last is the host's word, and no program's fault."""

    LATE = "late"
    MALFORMED = "malformed"
    ILLEGAL = "illegal"
    OVERSIZED = "oversized"
    UNASKED = "unasked"
    FLOOD = "flood"
    GONE = "gone"
    QUIT = "quit"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one player; ``reason`` is written for the student who has to mend the program."""

    kind: FaultKind
    reason: str


class SeatLost(Exception):
    """A seat did not answer its question.

    Attributes:
        fault: what went wrong.
        connected: whether the session can go on, for a player with lives left. After an oversized frame,
            a flood, a peer that does not read, or a lost connection it cannot.
        reached: whether the question arrived at the other machine, as far as the network tells.
    """

    def __init__(self, kind: FaultKind, reason: str, connected: bool, *, reached: bool = True) -> None:
        super().__init__(reason)
        self.fault = Fault(kind, reason)
        self.connected = connected
        self.reached = reached

    @property
    def may_come_back(self) -> bool:
        """Whether it is the connection that was lost, through no doing of the program's."""
        return self.fault.kind is FaultKind.GONE or not self.reached
