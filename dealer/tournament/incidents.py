"""What went wrong during play: the last faults and lost connections, with the bytes that came."""

from dataclasses import dataclass, replace
from typing import Any

from dealer.lobby.failed_logins import readable

#: Incidents that are kept for the host.
LATEST = 100


@dataclass(frozen=True, slots=True)
class Incident:
    """A fault, or the loss of a connection.

    Attributes:
        time: when, in seconds since 1970.
        id: of the player.
        avatar: of the player.
        kind: of ``FaultKind``.
        reason: what the player was told.
        hand: the number of the hand at its table.
        sent: the first bytes that came since the question; empty if none came.
        effect: what became of the player, in words.
        times: how often the same happened in succession.
    """

    time: float
    id: str
    avatar: str
    kind: str
    reason: str
    hand: int
    sent: bytes
    effect: str
    times: int = 1

    def as_json(self) -> dict[str, Any]:
        """The facts for the desk; bytes as Python writes them."""
        names = ("time", "times", "id", "avatar", "kind", "reason", "hand", "effect")
        return {**{name: getattr(self, name) for name in names}, "sent": readable(self.sent)}


class Incidents:
    """The last incidents of a tournament.

    Attributes:
        latest: at most ``LATEST``, the newest last; a fault that a player repeats is one incident, the last one.
    """

    def __init__(self) -> None:
        self.latest: list[Incident] = []

    def note(self, incident: Incident) -> None:
        last = self.latest[-1] if self.latest else None
        if last is not None and (last.id, last.kind) == (incident.id, incident.kind):
            self.latest[-1] = replace(incident, times=last.times + 1)
        else:
            self.latest = [*self.latest[1 - LATEST :], incident]
