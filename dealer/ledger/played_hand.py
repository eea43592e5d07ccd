"""What happened in one hand: the part of it that rules do not know, and how it came out."""

from dataclasses import dataclass, field
from typing import NamedTuple

from dealer.lobby.player import Player
from protocol.games.base import Hand, Settlement


@dataclass(slots=True)
class HandRecord:
    """What happened in the hand under way, as the journal tells it.

    Attributes:
        actions: seat, chips put in, and microseconds until the reply (None if the dealer folded for the seat).
        faults: seat, kind, reason.
    """

    actions: list[tuple[int, int, int | None]] = field(default_factory=list)
    faults: list[tuple[int, str, str]] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class ShownHand:
    """A hand as whoever watches a table sees it; the table changes it while it plays.

    Attributes:
        number: of the hand at its table, from 1.
        players: who was dealt in, by seat.
        dealt: the hand as it was dealt.
        hand: as it stands.
        record: what happened so far.
        settlement: how it ended; None until that is on the disk and may be told.
    """

    number: int
    players: list[Player]
    dealt: Hand
    hand: Hand
    record: HandRecord
    settlement: Settlement | None = None


class PlayedHand(NamedTuple):
    """A finished hand: who was dealt in by seat, the actions as the journal tells them, and how it was settled."""

    players: list[Player]
    actions: list[tuple[int, int, int | None]]
    pot: int
    settlement: Settlement
