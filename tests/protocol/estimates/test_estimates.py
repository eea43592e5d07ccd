"""Intervals, quantiles, exact means and tests against scipy's and known values, and how often intervals are right."""

from array import array
from collections.abc import Callable, Sequence
from math import inf
from statistics import fmean, variance

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import beta as beta_distribution
from scipy.stats import binom, binomtest, ttest_1samp
from scipy.stats import t as student_distribution

from dealer.ledger.formats.duplicate import DealScore
from dealer.ledger.scores import Score
from dealer.report.head_to_head import Exchange
from protocol.estimates.exact_mean import ExactMean, sign_test
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


# Means, shares, intervals and tests against known values.


def exact(*values: int) -> ExactMean:
    mean = ExactMean()
    for value in values:
        mean.add(value)
    return mean


@given(st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=100), st.integers(0, 100))
def test_exact_mean_equals_the_standard_library(values: list[int], cut: int) -> None:
    whole, left, right = exact(*values), exact(*values[:cut]), exact(*values[cut:])
    right.merge(left)
    assert right == whole
    assert whole.mean == pytest.approx(fmean(values), abs=1e-6)
    assert whole.variance == pytest.approx(variance(values), rel=1e-9)


def test_an_interval_worked_by_hand() -> None:
    assert exact(2, 4, 4, 4, 5, 5, 7, 9).estimate == pytest.approx((5, 3.2125, 6.7875), abs=1e-4)  # 2.3646 errors
    assert exact(3).estimate == (3, -inf, inf)


@pytest.mark.parametrize(
    ("ahead", "behind", "p_value"),
    [(0, 0, 1), (5, 0, 0.0625), (1, 9, 0.021484375), (5, 5, 1), (8, 2, 0.109375)],
)
def test_coins_tossed_a_few_times(ahead: int, behind: int, p_value: float) -> None:
    assert sign_test(ahead, behind) == sign_test(behind, ahead) == p_value


def test_sign_test_switches_without_a_jump() -> None:
    assert sign_test(530, 470) == pytest.approx(sign_test(531, 471), abs=0.005)
    assert sign_test(1100, 1000) == pytest.approx(0.0291, abs=1e-4)


def test_the_p_value_of_a_mean() -> None:
    assert exact(2, 4, 4, 4, 5, 5, 7, 9).p_value == pytest.approx(ttest_1samp([2, 4, 4, 4, 5, 5, 7, 9], 0).pvalue)
    assert exact(-1, 1).p_value == 1
    assert exact(5).p_value == 1
    assert exact(5, 5).p_value == 0.5  # two deals alike: as often as two coins fall alike


# How often intervals of 95 % hold the true value, simulated with a fixed seed.


SIZES = [2, 3, 4, 10, 100]

#: Simulated samples; the standard error of a coverage of 95 % is 0.5 %.
SAMPLES = 2000

Interval = tuple[float, float] | None
Values = NDArray[np.float64]


def _of_mean(values: Sequence[float]) -> Interval:
    found = mean(values)
    return found and found.interval


def _of_games(values: Sequence[float]) -> Interval:
    return Score(gains=list(values)).interval


def _of_deals(values: Sequence[float]) -> Interval:
    """Two rotations of each deal, in chips, which are whole: so many that rounding does not matter."""
    chips = [round(value * 10**6) for value in values]
    found = DealScore(len(chips), 2, array("q", [*chips, *chips])).result.interval
    return found and (found[0] / 10**6, found[1] / 10**6)


def _of_exact_mean(values: Sequence[float]) -> Interval:
    sums = ExactMean()
    for value in values:
        sums.add(round(value * 10**6))
    return sums.estimate.scaled(1e-6).interval


def _of_exchange(values: Sequence[float]) -> Interval:
    """Games of 1 to 5 hands, so that the mean per hand is a ratio of two sums."""
    exchange = Exchange()
    for unit, value in enumerate(values):
        hands = 1 + unit % 5
        for _ in range(hands):
            exchange.add(value / hands**0.5, 1, unit)
    half = exchange.half_width
    assert exchange.per_hand is not None
    return None if half is None else (exchange.per_hand - half, exchange.per_hand + half)


MEANS: list[Callable[[Sequence[float]], Interval]] = [
    _of_mean,
    _of_games,
    _of_deals,
    _of_exact_mean,
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("interval", MEANS)
def test_means_of_normal_values(interval: Callable[[Sequence[float]], Interval], size: int) -> None:
    samples = np.random.default_rng(size).normal(0, 1, (SAMPLES, size))
    assert _held(map(interval, samples.tolist())) == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize("size", SIZES)
def test_head_to_head_of_normal_values(size: int) -> None:
    """The ratio of two sums has no exact interval: units of unequal weight count as fewer."""
    samples = np.random.default_rng(size).normal(0, 1, (SAMPLES, size))
    assert _held(map(_of_exchange, samples.tolist())) == pytest.approx(0.95, abs=0.03)


def _held(intervals: object) -> float:
    found = list(intervals)  # type: ignore[call-overload]
    assert None not in found
    return float(np.mean([low <= 0 <= high for low, high in found]))


RATES = [0.001, 0.01, 0.03, 0.0945, 0.3, 0.5, 0.7, 0.95, 0.99, 0.999]


@pytest.mark.parametrize("size", SIZES)
def test_rates_are_held_at_least_as_often_as_said(size: int) -> None:
    """Not simulated but added up, over all results that are possible."""
    estimates = [share(won, size) for won in range(size + 1)]
    for rate in RATES:
        chances = binom.pmf(np.arange(size + 1), size, rate)
        held = sum(chance for chance, found in zip(chances, estimates, strict=True) if found.low <= rate <= found.high)
        assert held >= 0.95
    assert all(0 <= found.low <= found.value <= found.high <= 1 for found in estimates)


#: Chances of 0, 1 and 2 games won in the two games of a deal: always lost, nearly always one of two, and between.
DEALS = [
    (0.98, 0.02, 0.0),
    (0.95, 0.0, 0.05),
    (0.0, 0.99, 0.01),
    (0.05, 0.9, 0.05),
    (0.25, 0.5, 0.25),
    (0.4, 0.2, 0.4),
    (0.1, 0.3, 0.6),
    (0.0, 0.03, 0.97),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("chances", DEALS)
def test_win_rates_of_duplicate_deals(chances: tuple[float, float, float], size: int) -> None:
    wins = np.random.default_rng(size).choice(3, (SAMPLES, size), p=chances)
    true = chances[1] / 2 + chances[2]
    found = [_win_rate(size, *sums) for sums in zip(wins.sum(1).tolist(), (wins**2).sum(1).tolist(), strict=True)]
    assert np.mean([estimate.low <= true <= estimate.high for estimate in found]) >= 0.935
    assert all(0 <= estimate.low <= estimate.value <= estimate.high <= 1 for estimate in found)


def _win_rate(deals: int, total: int, squares: int) -> Estimate:
    return ExactMean(deals, total, squares).estimate_within(0, 2).scaled(0.5)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("strength", [-2.0, 0.0, 2.0])
def test_mean_places_of_six_players(strength: float, size: int) -> None:
    """Places of one player, who is nearly always last, anywhere, or nearly always first."""
    random = np.random.default_rng(size)
    places = _places(random, strength, SAMPLES * size).reshape(SAMPLES, size)
    true = _places(random, strength, 200_000).mean()
    sums = zip(places.sum(1).tolist(), (places**2).sum(1).tolist(), strict=True)
    found = [mean_within_of(size, total, squares, 1, 6) for total, squares in sums]
    assert np.mean([estimate.low <= true <= estimate.high for estimate in found]) >= 0.935


def _places(random: np.random.Generator, strength: float, count: int) -> Values:
    mine, others = random.normal(strength, 1, (count, 1)), random.normal(0, 1, (count, 5))
    return np.asarray(1.0 + (others > mine).sum(1))
