"""Tests of means, and the correction of their p-values where there are many."""

from collections.abc import Sequence

from protocol.estimates.quantiles import student_tails


def one_sided(mean: float, error: float, freedom: int, floor: float) -> float:
    """The p-value of a mean above zero, by Student's t.

    Args:
        mean: of independent values.
        error: its standard error.
        freedom: degrees of it, which is one less than there are values.
        floor: the least p-value; where all values are alike, a t-test would promise too much.
    """
    if mean <= 0:
        return 1.0
    return max(student_tails(mean / error, freedom) / 2, floor) if error else floor


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for all of them together, in the same order.

    By Holm's method (Scandinavian Journal of Statistics 6, 1979). If the tests with a corrected p-value of at most
    ``a`` are called evidence, one or more of them is wrong with a probability of at most ``a``, however they depend
    on each other.
    """
    corrected, least = [0.0] * len(p_values), 0.0
    for place, number in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - place) * p_values[number]))
        corrected[number] = least
    return corrected
