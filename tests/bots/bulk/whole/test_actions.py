"""What a bulk tournament counts beside, and what play against one opponent costs a player."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")

from bots.bulk.chance import deal, tournament_key  # noqa: E402
from bots.bulk.collusion import HALVES, SecondHalf  # noqa: E402 # both need numpy
from bots.bulk.plan import Inspection  # noqa: E402
from bots.bulk.played import Played  # noqa: E402
from bots.bulk.round_robin import make_plan  # noqa: E402
from tests.bots.bulk.authors import cpp, played  # noqa: E402

#: The lowest die that each player bets or calls with against each other.
Limits = dict[tuple[int, int], float]

#: As many deals with each B and both dice, so that figures are exact.
TIMES = 3


def counted(limits: Limits, players: int) -> SecondHalf:
    """Actions of players who bet and call a die of at least the limit against each opponent."""
    counts = np.zeros((HALVES, players, players, 4, 16, 6), np.uint32)
    for first, second in product(range(players), repeat=2):
        for b, own, other in product(range(16), range(6), range(6)):
            if first == second:
                continue
            bet, called = own + 1 >= limits[first, second], other + 1 >= limits[second, first]
            counts[:, first, second, int(bet), b, own] += TIMES
            if bet:
                counts[:, first, second, 2 + called, b, other] += TIMES
    return SecondHalf.of(Played(0, (), (), (), 0.0, counts.tobytes()), players)


def all_alike(limit: float) -> Limits:
    return {(one, other): limit for one in range(4) for other in range(4)}


def value(own: float, other: float) -> float:
    """Chips a deal that one limit wins from another, with both as first and as second."""
    total = 0
    for b, one, two in product(range(3, 19), range(1, 7), range(1, 7)):
        won = b * ((one > two) - (one < two))
        total += -1 if one < own else 2 if two < other else won
        total += 1 if two < other else -2 if one < own else won
    return total / (2 * 16 * 36)


def test_same_play_against_everybody_is_no_harm() -> None:
    limits = {pair: 2.0 + pair[0] for pair in all_alike(0.0)}
    assert np.abs(counted(limits, 4).harm()).max() < 0.02  # usual play counts a little as chance


def test_harm_is_what_usual_play_would_have_won() -> None:
    limits = all_alike(4.0)
    limits[1, 0] = 1.0  # bets and calls with everything against player 0
    harm = counted(limits, 4).harm()
    lost = value(4.0, 4.0) - value(1.0, 4.0)
    assert lost > 0.3
    assert harm[1, 0] == pytest.approx(lost, rel=0.15)  # the opponent's play is estimated
    harm[1, 0] = 0.0
    assert harm.max() < 0.02


def test_better_play_against_one_opponent_is_no_harm() -> None:
    limits = all_alike(4.0)
    limits[0, 1] = limits[0, 2] = limits[0, 3] = 7.0  # never bets and never calls
    limits[1, 0] = 1.0  # so everything wins
    assert counted(limits, 4).harm()[1, 0] < -0.3


def test_actions_are_counted_as_they_were_played(tmp_path: Path) -> None:
    plan = make_plan(["dice-four", "dice-price", "caller"], [], [], 200, 1, "counted")
    found = played(replace(plan, inspection=Inspection(HALVES)), tmp_path)
    counts = np.frombuffer(found.actions, np.uint32).reshape(HALVES, 3, 3, 4, 16, 6)
    expected = np.zeros_like(counts)
    bets = (lambda b, d: d >= 4, lambda b, d: d >= 2 + (b + 1) // 4, lambda b, d: True)
    key = tournament_key("counted", 0)
    for number in range(600):
        turn, pair = divmod(number, 3)
        low, high = ((0, 1), (0, 2), (1, 2))[pair]
        first, second = (low, high) if turn % 2 == 0 else (high, low)
        dealt = deal(key, number)
        cell = expected[turn // 100, first, second]
        bet = bets[first](dealt.b, dealt.first)
        cell[int(bet), dealt.b - 3, dealt.first - 1] += 1
        if bet:
            cell[2 + bets[second](dealt.b, dealt.second), dealt.b - 3, dealt.second - 1] += 1
    assert (counts == expected).all()
    assert SecondHalf.of(found, 3).deals().tolist() == [[0, 100, 100], [100, 0, 100], [100, 100, 0]]


def test_opening_is_replaced_against_each_opponent_and_then_over(tmp_path: Path) -> None:
    folds = cpp(tmp_path, "folds", "return 0;")
    plan = make_plan(["caller", "dice-four"], [folds], [], 400, 1, "replaced")
    inspection = Inspection(HALVES, replaced=2, decisions=50, coin=7)
    found = played(replace(plan, inspection=inspection), tmp_path)
    counts = np.frombuffer(found.actions, np.uint32).reshape(HALVES, 3, 3, 4, 16, 6).sum((-1, -2))
    for other in (0, 1):
        bets = counts[:, 2, other, 1] + counts[:, other, 2, 3]
        assert 10 < bets[0] < 40  # of 50 decisions by the coin
        assert bets[1] == 0
