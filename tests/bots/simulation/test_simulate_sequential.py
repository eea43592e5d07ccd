"""A test that may be stopped at any time: seldom wrong when there is nothing to find, quick when there is."""

from itertools import pairwise
from math import exp, log
from random import Random

import pytest

from bots.simulation.conclusion import AlwaysValid, log_evidence
from protocol.estimates.intervals import share

LEVEL = 0.05


def games_until_decided(rng: Random, chance: float, at_most: int) -> int | None:
    """Games played when the test, looked at after every one, first reaches the level."""
    test, ahead = AlwaysValid(), 0
    for games in range(1, at_most + 1):
        ahead += rng.random() < chance
        test.look(ahead, games - ahead)
        if test.p_value <= LEVEL:
            return games
    return None


def test_false_decisions_stay_below_the_level() -> None:
    rng, runs = Random("even"), 4000
    wrong = sum(games_until_decided(rng, 0.5, 200) is not None for _ in range(runs))
    assert share(wrong, runs).high <= LEVEL
    assert wrong, "a test that never decides would be no use"


def test_repeated_plain_sign_test_is_wrong_more_often() -> None:
    """What the test above could not tell if it tossed its coins badly."""
    rng, wrong = Random("even"), 0
    for _ in range(300):
        ahead = 0
        for games in range(1, 401):
            ahead += rng.random() < 0.5
            if games > 20 and abs(2 * ahead - games) > 1.96 * games**0.5:
                wrong += 1
                break
    assert wrong / 300 > 3 * LEVEL


def test_a_clear_difference_is_found_early() -> None:
    rng = Random("clear")
    lengths = [games_until_decided(rng, 0.9, 400) for _ in range(100)]
    found = [length for length in lengths if length is not None]
    assert len(found) == 100
    assert sum(found) / 100 < 20


@pytest.mark.parametrize(
    ("ahead", "behind", "odds"), [(0, 0, 1), (1, 0, 1), (2, 0, 4 / 3), (1, 1, 2 / 3), (10, 0, 1024 / 11)]
)
def test_evidence_worked_by_hand(ahead: int, behind: int, odds: float) -> None:
    assert log_evidence(ahead, behind) == pytest.approx(log(odds))
    assert log_evidence(behind, ahead) == pytest.approx(log(odds))


def test_evidence_is_a_martingale() -> None:
    """After any results, the next fair toss leaves the evidence as it is on average."""
    for ahead in range(12):
        for behind in range(12):
            after = exp(log_evidence(ahead + 1, behind)) + exp(log_evidence(ahead, behind + 1))
            assert after / 2 == pytest.approx(exp(log_evidence(ahead, behind)))


def test_the_p_value_never_rises() -> None:
    test, values = AlwaysValid(), []
    for ahead, behind in [(5, 0), (5, 5), (30, 5), (30, 30)]:
        test.look(ahead, behind)
        values.append(test.p_value)
    assert all(later <= earlier for earlier, later in pairwise(values))
    assert values[0] == pytest.approx(6 / 32)
