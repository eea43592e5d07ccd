"""A player: an identity in a tournament, its connection, and its score."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, exp, log
from typing import TYPE_CHECKING

from dealer.faults import NO_MISTAKES, Fault

if TYPE_CHECKING:
    # A journal is read, and a hand is shown to a person, without sockets: importing them takes half of a second.
    from dealer.net.seat import Seat

#: Seconds; shorter times count as this.
_SHORTEST = 1e-6
_PER_SECOND = 1 / _SHORTEST

#: Buckets for each factor of e, so that neighbours differ by 2 %.
_PER_FOLD = 50


class ReplyTimes:
    """A histogram of seconds whose buckets grow by 2 %, from a microsecond to hours.

    Only buckets that hold a reply take memory: a few dozen for a program that plays for days.

    Attributes:
        total: seconds of all replies together.
    """

    def __init__(self) -> None:
        self.total = 0.0
        self._counts: dict[int, int] = {}

    @property
    def count(self) -> int:
        """Number of replies."""
        return sum(self._counts.values())

    def add(self, seconds: float) -> None:
        """Count a reply that took so many seconds. Called for each decision, so it only takes a logarithm."""
        self.total += seconds
        bucket = int(log(seconds * _PER_SECOND) * _PER_FOLD) if seconds > _SHORTEST else 0
        self._counts[bucket] = self._counts.get(bucket, 0) + 1

    def quantile(self, share: float) -> float | None:
        """Seconds within which ``share`` (0 to 1) of the replies came, accurate to 2 %; None without replies."""
        wanted = max(ceil(share * self.count), 1)
        seen = 0
        for bucket in sorted(self._counts):
            seen += self._counts[bucket]
            if seen >= wanted:
                return _middle(bucket)
        return None

    def spread(self, bounds: Sequence[float]) -> tuple[list[int], float]:
        """Counts per bucket (seconds), accurate to 2 %, and the sum of all reply times.

        Args:
            bounds: upper bounds of the buckets in seconds, in rising order.

        Returns:
            One count for each bound, one more for the replies beyond the last bound; and the sum in seconds.
        """
        counts = [0] * (len(bounds) + 1)
        for bucket, count in self._counts.items():
            counts[bisect_left(bounds, _middle(bucket))] += count
        return counts, self.total


def _middle(bucket: int) -> float:
    """The seconds that every reply in a bucket counts as: its geometric middle."""
    return _SHORTEST * exp((bucket + 0.5) / _PER_FOLD)


@dataclass(eq=False, slots=True)
class Player:
    """An identity with a seat. Mutable: the tournament keeps score here. Compared by identity.

    Attributes:
        id: the instructor's name for the player; never shown to other players.
        avatar: the name that everybody sees; no other player of the tournament has the same.
        program: what plays: a house bot's name, a command, or the id where neither is known.
        seat: the connection; None while the player has none.
        lives: faults left; the last one puts the player out.
        faults: all faults so far, with those that are no mistakes.
        left: why the player is out, in words; None while it plays.
        left_in: number of the hand, at its table, in which the player left.
        left_for: the fault that put it out in a hand not yet recorded; None if it left without a fault.
        proof: of the secret in its first login (see ``secret_proof``); None where no secrets are asked for.
        number: place among all players of the tournament, from 0.
        watches: whether a person plays, who is told what happens at the table.
        acpc: whether it is a program of the ACPC, which is told every action and answers in words of its own.
    """

    id: str
    avatar: str
    program: str
    seat: "Seat | None" = None
    lives: int = 1
    hands_won: int = 0
    hands_survived: int = 0
    faults: list[Fault] = field(default_factory=list)
    reply_times: ReplyTimes = field(default_factory=ReplyTimes)
    left: str | None = None
    left_in: int = 0
    left_for: Fault | None = None
    proof: bytes | None = field(default=None, repr=False)
    number: int = 0
    acpc: bool = False
    watches: bool = False

    @property
    def mistakes(self) -> list[Fault]:
        """The faults that count as mistakes of the program: not those that it was free to make, such as to quit."""
        return [fault for fault in self.faults if fault.kind not in NO_MISTAKES]

    @property
    def decisions(self) -> int:
        """Questions answered."""
        return self.reply_times.count
