"""Gamma learns from hands that are over, and keeps it for the next games."""

from random import Random

import pytest

from bots.strategies.alpha import Alpha
from bots.strategies.beta import Beta
from bots.strategies.blockhead.habits import Habits
from bots.strategies.blockhead.turn_numbers import CALL, MOVES
from bots.strategies.caller import Caller
from bots.strategies.gamma import Gamma
from bots.strategies.maniac import Maniac
from tests.bots.blockhead_games import begins, chips_a_hand, gains_of, play_games

LAST, RAISED_BIG = True, 3
CALLED = MOVES.index(CALL)


@pytest.mark.slow
def test_gamma_wins_more_from_a_raiser_than_beta() -> None:
    assert chips_a_hand(gains_of(Gamma, Maniac, 100))[0] > chips_a_hand(gains_of(Beta, Maniac, 100))[1]


@pytest.mark.slow
def test_gamma_wins_more_from_a_caller_than_beta() -> None:
    gamma, beta = gains_of(Gamma, Caller, 150), gains_of(Beta, Caller, 150)
    assert chips_a_hand([mine - its for mine, its in zip(gamma, beta, strict=True)])[0] > 0, "on the same cards"


def test_habits_are_used_against_strangers_only() -> None:
    gamma = Gamma(Random(1))
    play_games([gamma, Alpha(Random(1))], 3, "alpha")
    assert gamma._habits.hands == 60
    assert gamma.trusts


def test_habits_are_kept_in_the_next_game() -> None:
    gamma = Gamma(Random(1))
    play_games([gamma, Caller(Random(1))], 2, "caller")
    gamma.game_begins(begins())
    assert gamma._habits.hands == 40
    assert gamma._habits.chances(LAST, RAISED_BIG, 0)[CALLED][10] > 0.6, "the caller never raises what is good"


def test_habits_are_weighted_by_possible_cards() -> None:
    habits = Habits()
    before = habits.chances(LAST, RAISED_BIG, 0)
    for _ in range(50):
        habits.new_hand()
        habits.saw(3, 10, 100, 1, 0, 0)
        habits.hand_over([float(hole == 4) for hole in range(11)])
    after = habits.chances(LAST, RAISED_BIG, 0)
    assert after[CALLED][4] > 0.9
    assert after[CALLED][10] == before[CALLED][10], "nothing was seen of strong cards"
    explained = habits.explain([1.0] * 11)
    assert explained == [1.0] * 11, "no hand is under way"


def test_a_hand_is_counted_once() -> None:
    habits = Habits()
    habits.saw(3, 10, 100, 1, 0, 0)
    habits.hand_over([1.0] * 11)
    after = habits.chances(LAST, RAISED_BIG, 0)
    habits.hand_over([1.0] * 11)
    assert habits.chances(LAST, RAISED_BIG, 0) == after
