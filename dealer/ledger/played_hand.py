"""A hand that was played, as values: the record of its actions and faults, and how it ended."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from dealer.ledger.deal import Deal
from protocol.games.base import Hand, Settlement

#: The seat, the chips that it put in (``FOLDED`` for a fold), and microseconds until the reply; None instead of a time
#: if the dealer folded or checked for the seat.
Act = tuple[int, int, int | None]

#: The seat, the kind of the fault, and the reason in words.
FaultNote = tuple[int, str, str]

#: The place of an action among those of the hand, from 0, and what a program of the ACPC asked for instead of it: see
#: ``Correction.asked``.
CorrectionNote = tuple[int, str]


class HandRecord(NamedTuple):
    """A hand under way or over: what was dealt, and what every seat did.

    All of the hand follows from it by the rules, so it is what pages are shown.

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
    def facts(self) -> dict[str, Any]:
        """The hand as the journal's ``hand`` record tells it."""
        deal, actions, faults, corrections = self.record
        return {
            "table": deal.table,
            "hand": deal.number,
            "level": deal.level,
            "players": deal.players,
            "stacks": self.last.starting,
            "deck": deal.deck,
            "actions": actions,
            "faults": faults,
            "pot": self.pot,
            "payoffs": self.settlement.payoffs,
            **({"corrections": corrections} if corrections else {}),
        }
