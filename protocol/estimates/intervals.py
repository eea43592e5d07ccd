"""Means and rates with 95 % confidence intervals that hold for small samples too.

- A mean of independent values: Student's t, from two values on. Exact for normal values.
- A mean of values between two bounds, such as places: Student's t with one more value at each bound, cut off at the
  bounds. Without those two, results that are all alike would have an interval of no width.
- A rate, such as games won of games played: the exact interval, which holds 95 times in a hundred or more often for
  every rate. Wilson's interval is narrower, and covers only 82 % at 2 games and a rate of 9 %.

What each covers at 2, 3, 4, 10 and 100 values is simulated in `tests/protocol/estimates/test_estimates.py`.
"""

from collections.abc import Sequence
from math import inf, isfinite, sqrt
from statistics import fmean, variance
from typing import NamedTuple

from protocol.estimates.quantiles import beta_quantile, student

#: How often an interval shall hold the true value.
CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A number and its interval; ``low`` and ``high`` are infinite where the sample cannot tell."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """From where to where; None if the sample cannot tell."""
        return (self.low, self.high) if isfinite(self.low) and isfinite(self.high) else None

    def scaled(self, factor: float) -> "Estimate":
        """The same in a unit that is ``factor`` (positive) times as small."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)

    def as_dict(self) -> dict[str, float | None]:
        """The facts; None for what is infinite, which JSON does not know."""
        return {name: number if isfinite(number) else None for name, number in self._asdict().items()}


def mean(sample: Sequence[float], confidence: float = CONFIDENCE) -> Estimate | None:
    """The mean of independent values; None of no values."""
    if not sample:
        return None
    return mean_of(len(sample), fmean(sample), variance(sample) if len(sample) > 1 else 0.0, confidence)


def mean_of(count: int, middle: float, spread: float, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of independent values of which these numbers are known.

    A single value, or values that are all equal, say nothing about how much they vary: no interval.

    Args:
        middle: their mean.
        spread: the sample's variance.
    """
    half = half_width(count, sqrt(spread / count) if count else 0.0, confidence)
    return Estimate(middle, middle - half, middle + half)


def half_width(count: int, error: float, confidence: float = CONFIDENCE) -> float:
    """How far the interval of a mean reaches to each side; infinite where the sample cannot tell.

    Args:
        count: of independent values.
        error: the standard error of their mean.
        confidence: of the interval.
    """
    return student(count - 1, confidence) * error if count > 1 and error else inf


def apart(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether the intervals of two means do not overlap, so that the greater mean is shown to be greater.

    Values that are all alike count as exact, not as unknown: chips of a fold are the same in every deal.
    """
    (low, high), (other_low, other_high) = _ends(one), _ends(other)
    return high < other_low or other_high < low


def _ends(sample: Sequence[float]) -> tuple[float, float]:
    middle = mean(sample)
    assert middle is not None, "an interval of no values"
    return middle.interval or (middle.value, middle.value)


def mean_within(sample: Sequence[float], least: float, most: float) -> Estimate | None:
    """The mean of independent values that cannot be less than ``least`` or more than ``most``; None of no values."""
    if not sample:
        return None
    return mean_within_of(len(sample), sum(sample), sum(value * value for value in sample), least, most)


def mean_within_of(count: int, total: float, squares: float, least: float, most: float) -> Estimate:
    """The mean of one or more values between two bounds, of which these sums are known.

    Args:
        least: what none of them can be less than.
        most: what none of them can be more than.
    """
    more, total_more, squares_more = count + 2, total + least + most, squares + least**2 + most**2
    middle = total_more / more
    spread = max(squares_more - more * middle**2, 0.0) / (more - 1)
    half = half_width(more, sqrt(spread / more))
    value = total / count
    # With nearly all values at a bound the mean lies outside of what the other two values pull inwards.
    return Estimate(value, min(value, max(middle - half, least)), max(value, min(middle + half, most)))


def share(successes: int, trials: int) -> Estimate:
    """A rate of independent trials, from 0 to 1 (Clopper and Pearson, Biometrika 26, 1934); of no trials 0 to 1."""
    if not trials:
        return Estimate(0.0, 0.0, 1.0)
    failures, tail = trials - successes, (1 - CONFIDENCE) / 2
    low = beta_quantile(tail, successes, failures + 1) if successes else 0.0
    high = beta_quantile(1 - tail, successes + 1, failures) if failures else 1.0
    return Estimate(successes / trials, low, high)
