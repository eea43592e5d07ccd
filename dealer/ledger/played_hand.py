"""What happened in a hand, as values: the record of its actions and faults, and how it ended."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from dealer.ledger.deal import Deal
from protocol.games.base import Hand, Settlement
from protocol.games.game import Game

#: The seat, the chips that it put in (``FOLDED`` for a fold), and microseconds until the reply; None instead of a time
#: if the dealer folded for the seat.
Act = tuple[int, int, int | None]

#: The seat, the kind of the fault, and the reason in words.
FaultNote = tuple[int, str, str]

#: The place of an action among those of the hand, from 0, and what a program of the ACPC asked for instead of it: see
#: ``Correction.asked``.
CorrectionNote = tuple[int, str]


class HandRecord(NamedTuple):
    """A hand under way or over: what was dealt, and what every seat did.

    All of the hand follows from it by the rules, so it is what pages are shown and what a table in another process
    would send.

    Attributes:
        deal: what was dealt.
        actions: so far, in order.
        faults: so far, in order.
        corrections: of actions so far, in order.
    """

    deal: Deal
    actions: list[Act]
    faults: list[FaultNote]
    corrections: Sequence[CorrectionNote] = ()

    @property
    def decisions(self) -> int:
        """Questions that were answered."""
        return sum(microseconds is not None for _, _, microseconds in self.actions)

    def to_plain(self) -> dict[str, Any]:
        """The record as numbers, text, lists and maps that MessagePack carries."""
        return {
            "deal": self.deal.to_plain(),
            "actions": self.actions,
            "faults": self.faults,
            "corrections": self.corrections,
        }

    @classmethod
    def from_plain(cls, facts: Mapping[str, Any], game: Game) -> Self:
        """The record of a hand of ``game`` that ``to_plain`` made these facts of.

        Raises:
            KeyError: a fact is missing.
        """
        actions = [tuple(action) for action in facts["actions"]]
        faults = [tuple(fault) for fault in facts["faults"]]
        corrections = [tuple(correction) for correction in facts["corrections"]]
        return cls(Deal.from_plain(facts["deal"], game), actions, faults, corrections)


class PlayedHand(NamedTuple):
    """A finished hand.

    Attributes:
        record: what was dealt, and what every seat did.
        starting: chips of each seat before the hand.
        pot: chips in the pot at its end.
        settlement: how the pot was divided.
    """

    record: HandRecord
    starting: tuple[int, ...]
    pot: int
    settlement: Settlement

    @classmethod
    def of(cls, record: HandRecord, last: Hand, settlement: Settlement) -> Self:
        """The finished hand of a record.

        Args:
            record: of the hand.
            last: the hand after the last action.
            settlement: how the pot was divided.
        """
        return cls(record, last.starting, last.pot, settlement)

    @property
    def deal(self) -> Deal:
        """What was dealt."""
        return self.record.deal

    @property
    def facts(self) -> dict[str, Any]:
        """The hand as the journal's ``hand`` record tells it."""
        deal, actions, faults, corrections = self.record
        return {
            "table": deal.table,
            "hand": deal.number,
            "level": deal.level,
            "players": deal.players,
            "stacks": self.starting,
            "deck": deal.deck,
            "actions": actions,
            "faults": faults,
            "pot": self.pot,
            "payoffs": self.settlement.payoffs,
            **({"corrections": corrections} if corrections else {}),
        }
