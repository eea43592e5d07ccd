"""Quantiles against scipy's."""

import pytest
from scipy.stats import beta as beta_distribution
from scipy.stats import t as student_distribution

from protocol.estimates.quantiles import beta_quantile, incomplete_beta, student, student_tails


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
