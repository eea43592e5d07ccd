"""Long series: house bots against yardsticks, and with worse constants than those that are shipped."""

from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev

import pytest

from bots.arena import play_game, play_hands
from bots.simulation.plan import Plan
from bots.simulation.single_hands import play_plan
from bots.strategies import stud
from bots.strategies.alpha import Alpha
from bots.strategies.balance import Balance
from bots.strategies.beta import Beta, BetaChips
from bots.strategies.blockhead import near_equilibrium
from bots.strategies.gamma import Gamma
from bots.strategies.moves import QuestionCount, call, check_or_fold, raise_by
from bots.strategies.random_bettor import RandomBettor
from bots.strategies.tight import Tight
from bots.strategy import Maker, Simple, Strategy
from protocol.games.base import Action
from protocol.games.blockhead import BlockheadGame, BlockheadTurn, card_value, cards_value
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from tests.bots.blockhead_games import chips_a_hand, gains_of, play_games, share_won
from tests.bots.strategies.test_stud import NOTHING_MADE, YARDSTICKS, chips_of_stud, guest_chips
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


# Each test plays the same deals twice, with the shipped constant and with one that is far too small or too large, and
# compares chips won deal by deal. So much chance cancels that a few hundred deals are enough for a 95 % interval above
# 0.


class AlwaysThree(QuestionCount):
    """Raises 3 at the first three questions of a street, with any cards, then calls."""

    def decide(self, turn: BlockheadTurn) -> Action:
        return raise_by(turn, 3) if self.ask(turn.street) <= 3 else call(turn)


class StrongFive(Simple):
    """Raises 5 with strong cards only, calls with fair ones."""

    def decide(self, turn: BlockheadTurn) -> Action:
        ahead = card_value(turn.hole) + cards_value(turn.up) - max(map(cards_value, turn.others)) - 6.5
        if ahead > 3:
            return raise_by(turn, 5)
        return call(turn) if ahead > -3 else check_or_fold(turn)


def gains_of_stud(hands: int) -> list[int]:
    """Chips that ``stud`` wins from ``tight`` in each hand."""
    players: list[Strategy] = [stud.Stud(Random(0)), Tight(Random(1))]
    return [hand.settlement.payoffs[0] for hand in play_hands(StudGame(200), players, b"margin", hands, True)]


def gains_of_balance(opponent: Maker, games: int) -> list[float]:
    """Chips a hand that ``balance`` wins in each game, played once in either seat."""
    game, gains = BlockheadGame(), []
    for number in range(games):
        won = 0
        for seat in (0, 1):
            players = [Balance(Random(f"balance {number} {seat}")), opponent(Random(f"opponent {number} {seat}"))]
            hands = play_game(game, players[::-1] if seat else players, b"reading", number * game.hands + 1)
            won += sum(hand.settlement.payoffs[seat] for hand in hands)
        gains.append(won / game.hands / 2)
    return gains


def assert_wins_more(shipped: Sequence[float], changed: Sequence[float]) -> None:
    """The 95 % interval of the mean difference lies above 0."""
    differences = [more - less for more, less in zip(shipped, changed, strict=True)]
    assert fmean(differences) - 1.96 * stdev(differences) / len(differences) ** 0.5 > 0


@pytest.mark.parametrize("margin", [0.55, 2.2])
def test_raise_margin_of_stud(margin: float, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = gains_of_stud(600)
    monkeypatch.setattr(stud, "RAISE_MARGIN", margin)
    assert_wins_more(shipped, gains_of_stud(600))


@pytest.mark.parametrize(("exponent", "opponent", "games"), [(0.0, AlwaysThree, 60), (1.0, StrongFive, 130)])
def test_reading_of_raises_by_balance(
    exponent: float, opponent: Maker, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = gains_of_balance(opponent, games)
    monkeypatch.setattr(near_equilibrium, "READ_BIG", (exponent,) * 4)
    assert_wins_more(shipped, gains_of_balance(opponent, games))
