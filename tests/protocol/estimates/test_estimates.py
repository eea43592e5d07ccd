"""Intervals and quantiles against scipy's, and at their edges."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta as beta_distribution
from scipy.stats import binomtest, ttest_1samp
from scipy.stats import t as student_distribution

from protocol.estimates.intervals import Estimate, apart, mean, mean_of, mean_within, mean_within_of, share
from protocol.estimates.quantiles import beta_quantile, incomplete_beta, student, student_tails


def test_interval_of_mean_is_that_of_t_test() -> None:
    sample = [1.0, 3.0, 2.0, 2.5, 6.0, 4.0, 1.0, 1.0, 5.0, 2.0]
    expected = ttest_1samp(sample, 0).confidence_interval(0.95)
    assert mean(sample) == pytest.approx((2.75, expected.low, expected.high), rel=1e-9)


@given(trials=st.integers(1, 2000), part=st.floats(0, 1))
def test_interval_of_rate_is_the_exact_one(trials: int, part: float) -> None:
    won = round(trials * part)
    expected = binomtest(won, trials).proportion_ci(0.95, "exact")
    assert share(won, trials) == pytest.approx((won / trials, expected.low, expected.high), rel=1e-7, abs=1e-12)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0.0, 0.1684), (1, 29, 0.0009, 0.1776)],
)
def test_rates_published_by_others(successes: int, trials: int, low: float, high: float) -> None:
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 5."""
    assert share(successes, trials)[1:] == pytest.approx((low, high), abs=5e-5)


def test_few_or_equal_values_have_no_interval_and_none_no_estimate() -> None:
    assert share(0, 0) == (0, 0, 1)
    assert mean([]) is None
    assert mean_within([], 0, 1) is None
    assert mean_of(0, 0.0, inf).interval is None
    single = mean([4.0])
    assert single == Estimate(4.0, -inf, inf)
    assert single is not None
    assert single.interval is None
    assert single.as_dict() == {"value": 4.0, "low": None, "high": None}
    assert mean([5.0, 5.0, 5.0]) == (5.0, -inf, inf)
    assert Estimate(10, 8, 12).scaled(1 / 4) == (2.5, 2, 3), "in another unit"


def test_means_are_apart_where_their_intervals_do_not_overlap() -> None:
    sample = [1.0, 2.0, 3.0]  # from -0.48 to 4.48
    for other, expected in (([4.0, 5.0, 6.0], False), ([9.0, 10.0, 11.0], True), ([4.4] * 2, False), ([4.5] * 2, True)):
        assert apart(sample, other) == apart(other, sample) == expected
    assert apart([1.0], [2.0])  # values that are all alike count as exact
    assert not apart([1.0], [1.0])


def test_equal_values_between_bounds_have_an_interval() -> None:
    """Three times one game of two: that was printed as `50.0 % to 50.0 %`."""
    assert mean_within([0.5] * 3, 0, 1) == pytest.approx((0.5, 0.0610, 0.9390), abs=1e-4)
    assert mean_within([1.0] * 2, 0, 1) == (1, 0, 1)


@given(values=st.lists(st.integers(1, 6), min_size=1, max_size=50))
def test_bounded_mean_stays_within_its_bounds(values: list[int]) -> None:
    found = mean_within(values, 1, 6)
    assert found is not None
    assert 1 <= found.low <= found.value <= found.high <= 6
    assert found == mean_within_of(len(values), sum(values), sum(value * value for value in values), 1, 6)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 1 - 0.05 / 6])
@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 29, 99, 399, 999, 1000, 5000, 10**6])
def test_student_quantiles(freedom: int, confidence: float) -> None:
    expected = student_distribution.ppf((1 + confidence) / 2, freedom)
    assert student(freedom, confidence) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("a", "b"), [(1, 2), (0.5, 0.5), (2, 3), (30, 70), (1000, 1), (1, 10**6), (5e5, 5e5)])
@pytest.mark.parametrize("probability", [0.001, 0.025, 0.5, 0.975])
def test_beta_quantiles(a: float, b: float, probability: float) -> None:
    expected = beta_distribution.ppf(probability, a, b)
    assert beta_quantile(probability, a, b) == pytest.approx(expected, rel=1e-9)
    assert incomplete_beta(expected, a, b) == pytest.approx(probability, rel=1e-6)


@pytest.mark.parametrize(("t", "freedom"), [(0.0, 3), (1.5, 2), (-3.0, 100), (50.0, 7)])
def test_student_tails(t: float, freedom: int) -> None:
    assert student_tails(t, freedom) == pytest.approx(2 * student_distribution.sf(abs(t), freedom), rel=1e-9)


def test_incomplete_beta_outside_its_range() -> None:
    assert (incomplete_beta(-1, 2, 3), incomplete_beta(0, 2, 3), incomplete_beta(1, 2, 3)) == (0, 0, 1)
