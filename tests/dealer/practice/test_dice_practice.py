"""What practice knows of dice: only the opponent's die is rolled anew, and what a wrong answer costs."""

from random import Random
from statistics import fmean

import pytest

from dealer.practice.games.dice import PRACTICE
from dealer.practice.rollouts import Effort, Spot, Task, redeal, roll_out
from protocol.games.base import FOLD, Bet
from protocol.games.dice import Dice, DiceHand, deal


def called(bet: int, die: int, other: int) -> DiceHand:
    """Seat 0 has bet, and seat 1 is to act."""
    return deal(Dice().outcome(bytes([bet, other, die])), (1000, 1000)).apply(Bet(bet - 1))


def spot(hand: DiceHand) -> Spot:
    return Spot(hand, 1, FOLD, Bet(hand.legal().to_call), frozenset(PRACTICE.seen(hand.view(1))))


def test_only_the_opponents_die_is_rolled_anew() -> None:
    hand = called(12, 4, 4)
    again = [redeal(PRACTICE, spot(hand), Random(seed)) for seed in range(60)]
    assert all(one.view(1) == hand.view(1) for one in again)
    assert {one.hole(0)[0].text for one in again} == set("123456")


def test_fold_of_a_six_costs_the_bet() -> None:
    """A six wins 12 chips from five dice of six and nothing from the sixth, and a fold loses 2."""
    gains = [played.gain for played in roll_out(Task("dice", spot(called(12, 6, 1)), "a", Effort(600, 600, 0)))]
    assert set(gains) == {14, 2}
    assert fmean(gains) == pytest.approx(12, abs=0.6)
