"""What two versions of a program won in the same deals, the hands they played differently, and which one is worse."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import NamedTuple

from dealer.audit.hands import Step
from dealer.checker.versions.answerer import Version
from dealer.faults import Fault
from protocol.estimates.exact_mean import ExactMean
from protocol.estimates.intervals import CONFIDENCE, Estimate
from protocol.estimates.many_tests import one_sided
from protocol.games.base import Settlement
from protocol.games.game import Game
from protocol.wire.codec import encode_action

#: How many hands with the largest losses are shown, and written for each opponent.
SHOWN = 10


def chips_won(settlement: Settlement, seat: int) -> int:
    """Chips that a seat won in a hand.

    A pot that is carried over counts as shared by all, as after the last hand; a share is rounded down.
    """
    payoffs = settlement.payoffs
    return payoffs[seat] - sum(payoffs) // len(payoffs)


@dataclass(slots=True)
class PairedChips:
    """Chips won by two versions in the same deals, each played in every seat.

    Hands with the same cards are no independent trials, so a deal counts as one number.

    Attributes:
        seats: in which each deal is played.
        old: chips of the old version by the number of the deal, in all seats together.
        new: those of the new one.
    """

    seats: int
    old: Counter[int] = field(default_factory=Counter)
    new: Counter[int] = field(default_factory=Counter)

    def add(self, deal: int, old: int, new: int) -> None:
        """Take a hand into account."""
        self.old[deal] += old
        self.new[deal] += new

    def per_hand(self, chips: Counter[int]) -> Estimate:
        """Chips a hand of ``old`` or ``new``."""
        return ExactMean.of(chips.values()).estimate.scaled(1 / self.seats)

    @property
    def _differences(self) -> ExactMean:
        return ExactMean.of(self.new[deal] - self.old[deal] for deal in self.old)

    def difference(self, tests: int = 1) -> Estimate:
        """Chips a hand that the new version won more.

        Args:
            tests: so many intervals hold together as often as one does otherwise (Bonferroni).
        """
        return self._differences.estimate_at(1 - (1 - CONFIDENCE) / tests).scaled(1 / self.seats)

    def p_worse(self) -> float:
        """How often chance alone makes the new version look as much worse, in a one-sided test."""
        found = self._differences
        error = found.error if found.count > 1 else 0.0
        return one_sided(-found.mean, error, found.count - 1, 0.5**found.count)


class PlayedDeal(NamedTuple):
    """A deal as a version played it in a seat."""

    number: int
    steps: Sequence[Step]
    settlement: Settlement


@dataclass(frozen=True, slots=True)
class Change:
    """A hand that two versions played differently.

    Attributes:
        deal: its number, from 1.
        seat: of the version.
        old: chips that the old version won.
        new: chips that the new one won.
        street: on which they differ, from 1.
        did: the first action that differs, as the old version replied.
        now: what the new one replied in its place.
    """

    deal: int
    seat: int
    old: int
    new: int
    street: int
    did: str
    now: str

    @property
    def difference(self) -> int:
        """Chips that the new version won more."""
        return self.new - self.old


def change_of(seat: int, old: PlayedDeal, new: PlayedDeal) -> Change | None:
    """What is different in a hand as the new version played it in a seat; None if it took the same actions."""
    for before, after in zip(old.steps, new.steps, strict=False):
        # A hand that is played differently differs in an action: what follows the same actions is the same.
        if (before.seat, before.action) != (after.seat, after.action):
            won, wins = (chips_won(hand.settlement, seat) for hand in (old, new))
            street = before.before.public().street
            return Change(old.number, seat, won, wins, street, _in_words(before), _in_words(after))
    return None


def _in_words(step: Step) -> str:
    """An action as a reply, or the fault for which the dealer folded."""
    if step.action is not None:
        return encode_action(step.action, step.before.view(step.seat))
    return "folded by the dealer" if step.fault is None else f"fault: {step.fault.kind.value}"


@dataclass(frozen=True, slots=True)
class DealFault:
    """A fault of a version.

    Attributes:
        deal: its number, from 1.
        seat: in which it was made.
        fault: what went wrong.
    """

    deal: int
    seat: int
    fault: Fault


@dataclass(slots=True)
class Compared:
    """Two versions in one game against one opponent.

    Attributes:
        tests: how many there are in all, for which the intervals and verdicts are corrected.
        chips: of the old version, and of the new one.
        changed: hands in which any action was another one.
        losses: the ``SHOWN`` of them in which the new version lost most.
        new_faults: of the new version.
        old_faults: of the old version.
    """

    game: Game
    new: Version
    old: Version
    opponent: str
    players: int
    chips: PairedChips
    tests: int = 1
    changed: int = 0
    losses: list[Change] = field(default_factory=list)
    new_faults: list[DealFault] = field(default_factory=list)
    old_faults: list[DealFault] = field(default_factory=list)

    @property
    def place(self) -> str:
        """In which game against whom, in words."""
        return f"{self.game.name} against {self.opponent}"

    def add(self, change: Change) -> None:
        """Count a hand that was played differently; of equal losses, the earlier are kept."""
        self.changed += 1
        if change.difference < 0:
            self.losses = nsmallest(SHOWN, [*self.losses, change], key=lambda one: one.difference)

    @property
    def wins_less(self) -> bool:
        """Whether the new version won significantly less, in view of all comparisons."""
        return self.chips.p_worse() * self.tests <= (1 - CONFIDENCE) / 2

    @property
    def breaks(self) -> bool:
        """Whether the new version made faults, and the old one none."""
        return bool(self.new_faults) and not self.old_faults

    @property
    def worse(self) -> bool:
        """Whether the new version is worse."""
        return self.wins_less or self.breaks
