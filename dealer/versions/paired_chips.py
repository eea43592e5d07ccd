"""Chips that two versions won in the same hands, and what the difference between them is worth."""

from collections.abc import Callable, Hashable
from math import sqrt
from statistics import fmean, variance

from protocol.estimates.intervals import CONFIDENCE, Estimate, mean
from protocol.estimates.many_tests import one_sided
from protocol.games.base import Settlement


def chips_won(settlement: Settlement, seat: int) -> int:
    """Chips that a seat won in a hand.

    A pot that is carried over counts as shared by all, as after the last hand; a share is rounded down.
    """
    payoffs = settlement.payoffs
    return payoffs[seat] - sum(payoffs) // len(payoffs)


class PairedChips:
    """Chips won by two versions, hand by hand.

    Hands with the same cards are no independent trials: in a duplicate tournament a player meets each deal in every
    seat. So the mean of each deal counts as one number.
    """

    def __init__(self) -> None:
        self._deals: dict[Hashable, list[tuple[int, int]]] = {}
        self.hands = 0

    def add(self, deal: Hashable, first: int, second: int) -> None:
        """Take a hand into account.

        Args:
            deal: the same for hands with the same cards.
            first: chips won by the first version.
            second: chips won by the second one.
        """
        self.hands += 1
        self._deals.setdefault(deal, []).append((first, second))

    @property
    def deals(self) -> int:
        """Deals of which at least one hand was added."""
        return len(self._deals)

    @property
    def first(self) -> Estimate | None:
        """Chips a hand of the first version; None without hands."""
        return mean(self._sample(lambda first, _: first))

    @property
    def second(self) -> Estimate | None:
        """Chips a hand of the second version; None without hands."""
        return mean(self._sample(lambda _, second: second))

    def difference(self, tests: int = 1) -> Estimate | None:
        """Chips a hand that the second version won more; None without hands.

        Args:
            tests: so many intervals hold together as often as one does otherwise (Bonferroni).
        """
        return mean(self._differences, 1 - (1 - CONFIDENCE) / tests)

    def p_worse(self) -> float:
        """How often chance alone makes the second version look as much worse, in a one-sided test."""
        differences = self._differences
        estimate = mean(differences)
        if estimate is None:
            return 1.0
        error = _standard_error(differences)
        return one_sided(-estimate.value, error, len(differences) - 1, 0.5 ** len(differences))

    @property
    def _differences(self) -> list[float]:
        return self._sample(lambda first, second: second - first)

    def _sample(self, number: Callable[[int, int], int]) -> list[float]:
        """One number for each deal: the mean of its hands."""
        return [fmean(number(*hand) for hand in hands) for hands in self._deals.values()]


def _standard_error(sample: list[float]) -> float:
    """Of the mean; 0 of fewer than two numbers, or of equal ones."""
    return sqrt(variance(sample) / len(sample)) if len(sample) > 1 else 0.0
