"""What a sample says about a mean, and how sure that is."""

from dataclasses import dataclass
from math import comb, erfc, inf, sqrt
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
POWER = 0.8
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(slots=True)
class RunningMean:
    """Mean and variance of numbers as they come (Welford, Technometrics 4, 1962)."""

    count: int = 0
    mean: float = 0.0
    _squares: float = 0.0

    def add(self, value: float) -> None:
        """Take one more number into account."""
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self._squares += step * (value - self.mean)

    @property
    def deviation(self) -> float:
        """The sample's standard deviation; infinite for fewer than two numbers."""
        return sqrt(self._squares / (self.count - 1)) if self.count > 1 else inf

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean, by the normal approximation (for samples of 30 and more)."""
        half = Z * self.deviation / sqrt(max(self.count, 1))
        return self.mean - half, self.mean + half


class Estimate(NamedTuple):
    """A number and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> "Estimate":
        """The same in a unit that is ``factor`` (positive) times as small."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


@dataclass(slots=True)
class ExactMean:
    """Mean and variance of whole numbers, from their sums: exact, and so the same in whatever order they come."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        """Take one more number into account."""
        self.count += 1
        self.total += value
        self.squares += value * value

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
        """The standard error of the mean."""
        return sqrt(self.variance / max(self.count, 1))

    @property
    def estimate(self) -> Estimate:
        """The mean with its interval, by the normal approximation (for samples of 30 and more)."""
        half = Z * self.error
        return Estimate(self.mean, self.mean - half, self.mean + half)

    @property
    def p_value(self) -> float:
        """How often chance alone moves the mean as far from zero, by the normal approximation; two-sided."""
        if not self.total:
            return 1.0
        return erfc(abs(self.mean) / self.error / sqrt(2)) if self.error else 0.0


def wilson(successes: int, trials: int) -> Estimate:
    """A share with its interval (Wilson, Journal of the American Statistical Association 22, 1927).

    Unlike the normal approximation it is sound near 0 and 1, where one of two players wins nearly every game.
    """
    if not trials:
        return Estimate(0.0, 0.0, 1.0)
    share = successes / trials
    shrink = 1 + Z**2 / trials
    middle = (share + Z**2 / (2 * trials)) / shrink
    half = Z * sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2)) / shrink
    return Estimate(share, max(middle - half, 0.0), min(middle + half, 1.0))


EXACT_TRIALS = 1000
"""Up to here the sign test adds up the binomial distribution; beyond, the normal distribution is as good."""


def sign_test(ahead: int, behind: int) -> float:
    """The two-sided p-value of a fair coin; what ended level is left out (Conover, Practical Nonparametric
    Statistics, 3.4)."""
    trials = ahead + behind
    if trials <= EXACT_TRIALS:
        tail = sum(comb(trials, fewer) for fewer in range(min(ahead, behind) + 1))
        return min(1.0, float(2 * tail / 2**trials))
    return erfc(abs(ahead - behind) / sqrt(2 * trials))


def trials_needed(mean: float, variance: float) -> float:
    """Trials after which a test at 5 % finds a mean like this one four times in five; infinite for a mean of 0.

    ``((z(0.975) + z(0.8)) sigma / mean) ** 2`` (Cohen, Statistical Power Analysis, 2.4).
    """
    points = Z + NormalDist().inv_cdf(POWER)
    return points**2 * variance / mean**2 if mean else inf
