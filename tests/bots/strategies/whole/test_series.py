"""Long series: house bots against yardsticks, their own kind, and plain mistakes."""

from random import Random

import pytest

from bots.simulation.plan import Plan
from bots.simulation.single_hands import play_plan
from bots.strategies.alpha import Alpha
from bots.strategies.beta import Beta, BetaChips
from bots.strategies.gamma import Gamma
from bots.strategies.random_bettor import RandomBettor
from bots.strategy import Maker
from protocol.games.holdem import HoldemGame
from tests.bots.blockhead_games import chips_a_hand, gains_of, play_games, share_won
from tests.bots.strategies.test_stud import YARDSTICKS, chips_of_stud
from tests.bots.strategies.test_stud_among_its_own import NOTHING_MADE, guest_chips
from tests.bots.strategies.test_stud_chances import computed, sampled, situation, tolerance


@pytest.mark.parametrize("maker", [Beta, BetaChips, Gamma])
def test_it_beats_alpha(maker: Maker) -> None:
    gains = gains_of(maker, Alpha, 150)
    assert chips_a_hand(gains)[0] > 0
    assert share_won(gains)[0] > 0.5


def test_it_never_takes_alpha_for_a_stranger() -> None:
    for maker in (Beta, BetaChips, Gamma):
        beta = maker(Random(3))
        play_games([beta, Alpha(Random(4))], 50, "trust")
        assert beta.trusts


#: Chips a hand that ``tight`` makes in the place of ``stud`` among the yardsticks.
TIGHT_ALONE = 17.6


def test_makes_more_of_the_yardsticks_than_tight_does() -> None:
    mean, margin = chips_of_stud(YARDSTICKS, 500, b"yardsticks")
    assert mean - margin > TIGHT_ALONE


@pytest.mark.parametrize("other", YARDSTICKS)
def test_never_loses_to_a_yardstick_alone(other: Maker) -> None:
    mean, margin = chips_of_stud([other], 1_000, b"alone")
    assert mean + margin > 0


def test_a_careless_guest_loses_to_five() -> None:
    mean, margin = guest_chips(RandomBettor, 15, b"guest")
    assert mean + margin < NOTHING_MADE


@pytest.mark.parametrize("seats", [3, 6, 17])
@pytest.mark.parametrize("street", [1, 2])
def test_many_rivals_against_a_sample(street: int, seats: int) -> None:
    rng = Random(f"chances {street} {seats}")
    for _ in range(4):
        given = situation(rng, street, seats, 0 if seats == 17 else 3)
        assert computed(given) == pytest.approx(sampled(given, rng, 20_000), abs=tolerance(seats)), given


def test_bets_often_enough_against_a_caller_in_fixed_limit() -> None:
    game = HoldemGame(betting="fixed-limit", reset_stacks=1)
    mine, _ = play_plan(Plan(("holdem", "caller"), game, 150, True, "casino"))
    assert mine.chips_per_hand.low > 0.6 * game.big_blind
