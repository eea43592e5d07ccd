"""Mean, deviation and interval against known values."""

import statistics
from math import inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.statistics import RunningMean


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
