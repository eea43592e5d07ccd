"""Means, shares, intervals and tests against known values."""

import statistics
from math import inf, sqrt
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from bots.statistics import ExactMean, RunningMean, sign_test, trials_needed


def mean_of(values: list[float]) -> RunningMean:
    mean = RunningMean()
    for value in values:
        mean.add(value)
    return mean


def test_a_sample_worked_by_hand() -> None:
    """The squares of the distances to 5 add up to 32; 2.364624 is the 97.5 % point of Student's t for 7 degrees."""
    sample = mean_of([2, 4, 4, 4, 5, 5, 7, 9])
    assert (sample.count, sample.mean) == (8, 5.0)
    assert sample.deviation == pytest.approx(sqrt(32 / 7))
    half = 2.364624 * sqrt(32 / 7) / sqrt(8)
    assert sample.estimate.interval == pytest.approx((5 - half, 5 + half), rel=1e-6)
    assert sample.estimate.interval == pytest.approx((3.2125, 6.7875), abs=1e-4)


def test_one_number_says_nothing_about_its_error() -> None:
    assert mean_of([3]).deviation == inf
    assert mean_of([3]).estimate == (3, -inf, inf)
    assert RunningMean().estimate == (0, -inf, inf)


def test_equal_numbers_do_not_tell_how_much_they_vary() -> None:
    assert mean_of([-1.0] * 9).estimate == (-1.0, -inf, inf)


@given(st.lists(st.integers(-5000, 5000), min_size=2, max_size=200))
def test_it_agrees_with_the_standard_library(values: list[int]) -> None:
    sample = mean_of([float(value) for value in values])
    assert sample.mean == pytest.approx(statistics.fmean(values), abs=1e-9)
    assert sample.deviation == pytest.approx(statistics.stdev(values), abs=1e-6)


def test_small_differences_far_from_zero_are_not_lost() -> None:
    """The sum of squares less the square of the sum would be all rounding here."""
    assert mean_of([1e9 + 1, 1e9 + 2, 1e9 + 3]).deviation == pytest.approx(1.0)


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


def test_trials_for_a_medium_effect() -> None:
    """Cohen, table 2.4.1: 32 pairs find half a deviation four times in five, by the t distribution 2 more."""
    assert trials_needed(0.5, 1.0) == pytest.approx(31.4, abs=0.1)
    assert trials_needed(-0.5, 1.0) == trials_needed(0.5, 1.0)
    assert trials_needed(0.0, 1.0) == inf
