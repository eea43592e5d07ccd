"""What two versions of a program won in the same deals, the hands they played differently, and which one is worse."""

from collections import Counter
from dataclasses import dataclass, field
from heapq import nsmallest

from dealer.audit.hands import ReplayedHand, Step
from dealer.checker.versions.answerer import Version
from dealer.faults import Fault
from protocol.estimates.exact_mean import ExactMean
from protocol.estimates.intervals import CONFIDENCE, Estimate
from protocol.estimates.many_tests import one_sided
from protocol.games.base import Action, Settlement
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


@dataclass(frozen=True, slots=True)
class Change:
    """A hand that two versions played differently.

    Attributes:
        first: chips that the first version won.
        second: chips that the second one won.
        seat: of the version.
        before: as the first version played it.
        after: as the second one played it.
    """

    first: int
    second: int
    seat: int
    before: ReplayedHand
    after: ReplayedHand

    @property
    def difference(self) -> int:
        """Chips that the second version won more."""
        return self.second - self.first

    @property
    def place(self) -> int:
        """The number of the first action that is another one, from 0."""
        return first_change(self.before, self.after) or 0

    @property
    def actions(self) -> tuple[str, str]:
        """The first actions that differ, as they stand in replies."""
        return _in_words(self.before.steps[self.place]), _in_words(self.after.steps[self.place])

    @property
    def street(self) -> int:
        """On which they differ, from 1."""
        return self.before.steps[self.place].before.public().street


def _in_words(step: Step) -> str:
    """An action as a reply, or the fault for which the dealer folded."""
    if step.action is not None:
        return encode_action(step.action, step.before.view(step.seat))
    return "folded by the dealer" if step.fault is None else f"fault: {step.fault.kind.value}"


def first_change(one: ReplayedHand, other: ReplayedHand) -> int | None:
    """The place of the first action in which two plays of a hand differ; None if all are the same."""
    first, second = _actions_of(one), _actions_of(other)
    for place, (before, after) in enumerate(zip(first, second, strict=False)):
        if before != after:
            return place
    # A hand that is played differently differs in an action: what follows the same actions is the same.
    return None


def _actions_of(hand: ReplayedHand) -> list[tuple[int, Action | None]]:
    """The actions of a hand with their seats; None where the dealer folded for the seat."""
    return [(step.seat, step.action) for step in hand.steps]


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
