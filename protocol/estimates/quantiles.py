"""Quantiles and tail probabilities of the beta distribution and of Student's t."""

from functools import lru_cache
from math import exp, inf, lgamma, log, log1p, sqrt
from statistics import NormalDist

#: The continued fraction of the incomplete beta function ends when a step changes it by less than this.
_PRECISION = 1e-15

#: Newton's method needs about 6 steps; where it fails, as many bisections as a float has bits.
_MOST_STEPS = 200

#: From so many degrees of freedom on, the expansion from the normal quantile is exact to 1e-12.
_MANY_DEGREES = 1000


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The probability that a number from the beta distribution with ``a`` and ``b`` (positive) is ``x`` or less."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    # The fraction converges fast below the mean only; above it, the other tail is computed.
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    return exp(_log_front(x, a, b)) / a * _fraction(x, a, b)


def _log_front(x: float, a: float, b: float) -> float:
    """The logarithm of ``x**a (1-x)**b / B(a, b)``."""
    return lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value, step, m = d, inf, 0
    while abs(step - 1) > _PRECISION and m < 10**6:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + even * d)
        c = 1 + even / c
        value *= d * c
        d = 1 / (1 + odd * d)
        c = 1 + odd / c
        step = d * c
        value *= step
    return value


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The number that the beta distribution with ``a`` and ``b`` stays below with this probability."""
    low, high, x = 0.0, 1.0, a / (a + b)
    for _ in range(_MOST_STEPS):
        error = incomplete_beta(x, a, b) - probability
        low, high = (x, high) if error < 0 else (low, x)
        density = exp(_log_front(x, a, b)) / (x * (1 - x)) if 0 < x < 1 else 0.0
        following = x - error / density if density else inf
        if not low < following < high:  # Newton's step leaves the bracket: halve it instead
            following = (low + high) / 2
        if abs(following - x) <= 1e-13 * x:
            break
        x = following
    return x


@lru_cache(maxsize=4096)
def student(freedom: int, confidence: float) -> float:
    """How many standard errors an interval with this confidence reaches to each side: Student's two-sided quantile.

    Args:
        freedom: degrees of freedom, from 1.
        confidence: between 0 and 1.
    """
    if freedom >= _MANY_DEGREES:
        return _student_of_many(freedom, confidence)
    x = beta_quantile(1 - confidence, freedom / 2, 0.5)
    return sqrt(freedom * (1 - x) / x)


def _student_of_many(freedom: int, confidence: float) -> float:
    """From the normal quantile (Abramowitz and Stegun, 26.7.5)."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))


def student_tails(t: float, freedom: int) -> float:
    """The probability that Student's t is as far from zero as ``t`` or farther, on both sides together."""
    return incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)
