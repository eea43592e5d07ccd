"""Means, shares, intervals and tests against known values."""

from math import inf
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from protocol.estimates.exact_mean import ExactMean, sign_test


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
