"""Means and variances of whole numbers as they come, and tests of what they say."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb, erfc, inf, sqrt

from protocol.estimates.intervals import CONFIDENCE, Estimate, mean_of, mean_within_of
from protocol.estimates.quantiles import student_tails


@dataclass(slots=True)
class ExactMean:
    """Mean and variance of whole numbers, from their sums: exact, and so the same in whatever order they come."""

    count: int = 0
    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, values: Iterable[int]) -> "ExactMean":
        """That of these numbers."""
        made = cls()
        for value in values:
            made.add(value)
        return made

    def add(self, value: int, times: int = 1) -> None:
        """Take one more number into account, or several that are equal."""
        self.count += times
        self.total += value * times
        self.squares += value * value * times

    def merge(self, other: "ExactMean") -> None:
        """Take all numbers of another sample into account."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        """The average; 0 of no numbers."""
        return self.total / max(self.count, 1)

    @property
    def variance(self) -> float:
        """The sample's variance; infinite for fewer than two numbers."""
        if self.count < 2:
            return inf
        return (self.count * self.squares - self.total**2) / (self.count * (self.count - 1))

    @property
    def error(self) -> float:
        return sqrt(self.variance / max(self.count, 1))

    @property
    def estimate(self) -> Estimate:
        """The mean with its interval at 95 %."""
        return self.estimate_at(CONFIDENCE)

    def estimate_at(self, confidence: float) -> Estimate:
        """The mean with an interval at another confidence."""
        return mean_of(self.count, self.mean, self.variance, confidence)

    def estimate_within(self, least: int, most: int) -> Estimate:
        """The mean with its interval, of numbers that cannot be less than ``least`` or more than ``most``."""
        if not self.count:
            return Estimate(0.0, least, most)
        return mean_within_of(self.count, self.total, self.squares, least, most)

    @property
    def p_value(self) -> float:
        """How often chance alone moves the mean as far from zero, by Student's t; two-sided.

        Numbers that are all equal say nothing about how much they vary: then only their signs are tested.
        """
        if self.count < 2 or not self.total:
            return 1.0
        if not self.error:
            return sign_test(self.count, 0)
        return student_tails(self.mean / self.error, self.count - 1)


#: Up to here the sign test adds up the binomial distribution; beyond, the normal distribution is as good.
EXACT_TRIALS = 1000


def sign_test(ahead: int, behind: int) -> float:
    """The two-sided p-value of a fair coin; what ended level is left out (Conover, Practical Nonparametric
    Statistics, 3.4)."""
    trials = ahead + behind
    if trials <= EXACT_TRIALS:
        tail = sum(comb(trials, fewer) for fewer in range(min(ahead, behind) + 1))
        return min(1.0, float(2 * tail / 2**trials))
    return erfc(abs(ahead - behind) / sqrt(2 * trials))
