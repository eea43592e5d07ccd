"""How often intervals of 95 % hold the true value, simulated with a fixed seed."""

from array import array
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from dealer.ledger.formats.duplicate import DealScore
from dealer.ledger.scores import Score
from dealer.report.head_to_head import Exchange
from protocol.estimates.exact_mean import ExactMean
from protocol.estimates.intervals import Estimate, mean, mean_within_of, share

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
