"""Intervals for small samples: against another library's quantiles, and at their edges."""

from math import inf, sqrt

import pytest
from scipy.stats import t as student_distribution  # type: ignore[import-untyped]
from scipy.stats import ttest_1samp

from dealer.ledger.intervals import Estimate, mean, share, student


@pytest.mark.parametrize("confidence", [0.9, 0.95, 1 - 0.05 / 6])
@pytest.mark.parametrize(("freedom", "error"), [(1, 1e-9), (2, 1e-9), (3, 0.01), (5, 0.001), (9, 0.0001), (400, 1e-6)])
def test_the_quantiles_are_students(freedom: int, confidence: float, error: float) -> None:
    expected = student_distribution.ppf((1 + confidence) / 2, freedom)
    assert student(freedom, confidence) == pytest.approx(expected, rel=error)


def test_the_interval_of_a_mean_is_the_one_of_the_t_test() -> None:
    sample = [1.0, 3.0, 2.0, 2.5, 6.0, 4.0, 1.0, 1.0, 5.0, 2.0]
    estimate = mean(sample)
    assert estimate is not None
    expected = ttest_1samp(sample, 0).confidence_interval(0.95)
    assert estimate == pytest.approx((2.75, expected.low, expected.high), rel=1e-4)


def test_of_nothing_there_is_no_estimate_and_of_one_no_interval() -> None:
    assert mean([]) is None
    assert share(0, 0) is None
    single = mean([4.0])
    assert single == Estimate(4.0, -inf, inf)
    assert single is not None
    assert single.as_dict() == {"value": 4.0, "low": None, "high": None}


def test_a_share_of_nothing_won_may_still_be_a_quarter() -> None:
    z2 = 1.959964**2
    assert share(0, 10) == pytest.approx((0.0, 0.0, z2 / (10 + z2)), rel=1e-5)
    one = share(5, 10)
    assert one is not None
    assert one.high - 0.5 == pytest.approx(0.5 - one.low)
    assert one.high - 0.5 < 1.96 * sqrt(0.25 / 10)
