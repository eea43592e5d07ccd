"""Gamma learns from hands that are over, keeps it for the next games, and relearns an opponent that changes."""

from random import Random

import pytest

from bots.strategies.alpha import Alpha, alpha_move
from bots.strategies.balance import Balance
from bots.strategies.beta import Beta
from bots.strategies.blockhead.habits import Habits, kind
from bots.strategies.blockhead.turn_numbers import CALL, MOVES, Spot
from bots.strategies.caller import Caller
from bots.strategies.gamma import Gamma
from bots.strategies.maniac import Maniac
from protocol.games.blockhead import STREETS
from tests.bots.blockhead_games import begins, chips_a_hand, gains_of, play_games

CALLED, BIG = MOVES.index(CALL), MOVES.index(10)
#: Raised by 10 on the last street, with as much in sight on both sides.
RAISED = Spot(STREETS, 100, (10,), 0)


def holding(value: int) -> list[float]:
    """The weights of a hole that was shown."""
    return [float(hole == value) for hole in range(11)]


def see(habits: Habits, spot: Spot, move: int, hole: int, times: int) -> None:
    """Hands in which the opponent made one move, and showed its hole."""
    for _ in range(times):
        habits.new_hand()
        habits.saw(spot, move)
        habits.hand_over(holding(hole))


@pytest.mark.heavy
def test_gamma_wins_more_from_a_raiser_than_beta() -> None:
    assert chips_a_hand(gains_of(Gamma, Maniac, 100))[0] > chips_a_hand(gains_of(Beta, Maniac, 100))[1]


@pytest.mark.heavy
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
    assert gamma._habits.chances(RAISED)[CALLED][10] > 0.6, "the caller never raises what is good"


@pytest.mark.parametrize("street", [1, 2, 3])
def test_an_unknown_opponent_is_taken_to_play_like_alpha(street: int) -> None:
    """Far from every threshold of Alpha's, its move is nearly certain."""
    for diff, put_in in ((-20, ()), (25, ()), (-20, (0,)), (-25, (1,)), (30, (10,)), (-25, (0, 10))):
        spot = Spot(street, 30, put_in, diff)
        expected = alpha_move(street == STREETS, spot.prior, spot.pot, len(spot.sizes), 5 - diff)
        assert Habits().chances(spot)[kind(expected)][5] > 0.85


def test_habits_are_weighted_by_possible_cards() -> None:
    habits = Habits()
    before = habits.chances(RAISED)
    see(habits, RAISED, CALL, hole=3, times=50)
    after = habits.chances(RAISED)
    assert after[CALLED][3] > 0.9
    assert before[CALLED][3] < 0.5
    assert after[CALLED][10] == before[CALLED][10], "nothing was seen of strong cards"
    assert habits.explain([1.0] * 11) == [1.0] * 11, "no hand is under way"


@pytest.mark.parametrize(("seen", "other", "moves"), [(1, 2, 1), (2, 1, 1), (1, 3, 0), (3, 1, 0), (2, 3, 0)])
def test_streets_are_told_apart(seen: int, other: int, moves: int) -> None:
    """What is seen on one street says less of the other early street, and nothing of the last one."""
    # with a delta of -7 Alpha folds on every street
    habits, spot = Habits(), RAISED._replace(pot=30, diff=10)
    there, elsewhere = spot._replace(street=seen), spot._replace(street=other)
    before = habits.chances(elsewhere)[BIG][3]
    see(habits, there, 10, hole=3, times=20)
    assert habits.chances(there)[BIG][3] > 0.8
    assert (habits.chances(elsewhere)[BIG][3] - before > 0.1) == bool(moves)
    assert habits.chances(elsewhere)[BIG][3] < 0.8


def test_old_hands_are_forgotten() -> None:
    habits = Habits()
    see(habits, RAISED, 10, hole=3, times=320)
    see(habits, RAISED, CALL, hole=3, times=20)
    assert habits.chances(RAISED)[CALLED][3] > 0.7


def test_chances_add_up() -> None:
    habits = Habits()
    for luck in map(Random, range(200)):
        put_in = luck.choice(((), (0,), (1,), (10,), (0, 5), (10, 20), (10, 20, 20)))
        spot = Spot(luck.randint(1, 3), luck.randint(20, 300), put_in, luck.randint(-36, 36))
        see(habits, spot, luck.choice(MOVES[bool(put_in) ^ 1 :]), luck.randint(1, 10), 1)
        for chances in zip(*habits.chances(spot), strict=True):
            assert sum(chances) == pytest.approx(1)
            assert min(chances) >= 0


def test_a_hand_is_counted_once() -> None:
    habits = Habits()
    habits.saw(RAISED, CALL)
    habits.hand_over([1.0] * 11)
    after = habits.chances(RAISED)
    habits.hand_over([1.0] * 11)
    assert habits.chances(RAISED) == after


@pytest.mark.parametrize(("other", "tables"), [(Balance, True), (Maniac, False), (Caller, False)])
def test_who_plays_from_the_tables_is_recognised(other: type[Balance | Maniac | Caller], tables: bool) -> None:
    for number in range(3):
        gamma = Gamma(Random(number))
        play_games([gamma, other(Random(number))], 3, f"tables {number}")
        assert (gamma._odds > 0) == tables


@pytest.mark.heavy
@pytest.mark.parametrize("other", [Beta, Balance])
def test_gamma_beats_the_near_equilibrium(other: type[Beta]) -> None:
    assert chips_a_hand(gains_of(Gamma, other, 600))[0] > 0
