"""A hand that was played, as values: the record of its actions and faults, and how it ended."""

from collections.abc import Sequence
from typing import NamedTuple

from dealer.journal.records import Act, CorrectionNote, FaultNote, FinishedHandRecord
from dealer.ledger.deal import Deal
from protocol.games.base import Hand, Settlement


class HandRecord(NamedTuple):
    """A hand under way or over: what was dealt, and what every seat did.

    All of the hand follows from it by the rules, so it is what pages are shown.
    """

    deal: Deal
    actions: list[Act]
    faults: list[FaultNote]
    corrections: Sequence[CorrectionNote] = ()

    @property
    def decisions(self) -> int:
        """Questions that were answered."""
        return sum(microseconds is not None for _, _, microseconds in self.actions)


class PlayedHand(NamedTuple):
    """A finished hand.

    Attributes:
        record: what was dealt, and what every seat did.
        last: the hand after the last action.
        settlement: how the pot was divided.
    """

    record: HandRecord
    last: Hand
    settlement: Settlement

    @property
    def pot(self) -> int:
        """Chips in the pot at its end."""
        return self.last.pot

    @property
    def deal(self) -> Deal:
        """The deal, from which the hand can be played again."""
        return self.record.deal

    @property
    def told(self) -> FinishedHandRecord:
        """The hand as the journal tells it."""
        deal, actions, faults, corrections = self.record
        return FinishedHandRecord(
            table=deal.table,
            hand=deal.number,
            level=deal.level,
            players=deal.players,
            stacks=self.last.starting,
            deck=deal.deck,
            actions=actions,
            faults=faults,
            pot=self.pot,
            payoffs=self.settlement.payoffs,
            corrections=corrections,
        )
