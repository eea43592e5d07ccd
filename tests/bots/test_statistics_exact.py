"""Exact means, shares and tests against known values."""

from math import inf
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.statistics import Estimate, ExactMean, sign_test, trials_needed, wilson


def exact(*values: int) -> ExactMean:
    mean = ExactMean()
    for value in values:
        mean.add(value)
    return mean


@given(st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=100), st.integers(0, 100))
def test_exact_means_agree_with_the_standard_library_however_they_are_split(values: list[int], cut: int) -> None:
    whole, left, right = exact(*values), exact(*values[:cut]), exact(*values[cut:])
    right.merge(left)
    assert right == whole
    assert whole.mean == pytest.approx(fmean(values), abs=1e-6)
    assert whole.variance == pytest.approx(variance(values), rel=1e-9)


def test_an_interval_worked_by_hand() -> None:
    assert exact(2, 4, 4, 4, 5, 5, 7, 9).estimate == pytest.approx((5, 3.5184, 6.4816), abs=1e-4)
    assert exact(3).estimate == (3, -inf, inf)


def test_an_estimate_in_another_unit() -> None:
    assert Estimate(10, 8, 12).scaled(1 / 4) == (2.5, 2, 3)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (15, 148, 0.0624, 0.1605), (81, 263, 0.2553, 0.3662)],
)
def test_shares_published_by_others(successes: int, trials: int, low: float, high: float) -> None:
    """The last two: Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    assert wilson(successes, trials) == pytest.approx((successes / trials, low, high), abs=1e-4)


def test_nothing_tried_leaves_every_share_possible() -> None:
    assert wilson(0, 0)[1:] == (0, 1)


@pytest.mark.parametrize(
    ("ahead", "behind", "p_value"),
    [(0, 0, 1), (5, 0, 0.0625), (1, 9, 0.021484375), (5, 5, 1), (8, 2, 0.109375)],
)
def test_coins_tossed_a_few_times(ahead: int, behind: int, p_value: float) -> None:
    assert sign_test(ahead, behind) == sign_test(behind, ahead) == p_value


def test_the_normal_distribution_takes_over_without_a_jump() -> None:
    assert sign_test(530, 470) == pytest.approx(sign_test(531, 471), abs=0.005)
    assert sign_test(1100, 1000) == pytest.approx(0.0291, abs=1e-4)


def test_the_p_value_of_a_mean() -> None:
    assert exact(2, 4, 4, 4, 5, 5, 7, 9).p_value == pytest.approx(3.7e-11, rel=0.02)
    assert exact(-1, 1).p_value == 1
    assert exact(5).p_value == 1
    assert exact(5, 5).p_value == 0


def test_trials_for_a_medium_effect() -> None:
    """Cohen, table 2.4.1: 32 pairs find half a deviation four times in five, by the t distribution 2 more."""
    assert trials_needed(0.5, 1.0) == pytest.approx(31.4, abs=0.1)
    assert trials_needed(-0.5, 1.0) == trials_needed(0.5, 1.0)
    assert trials_needed(0.0, 1.0) == inf
