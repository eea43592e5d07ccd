"""Constants that decide how strong a bot is: as shipped, a bot wins more with them than with worse values.

Each test plays the same deals twice, with the shipped constant and with one that is far too small or too large, and
compares chips won deal by deal. So much chance cancels that a few hundred deals are enough for a 95 % interval above 0.
"""

from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev

import pytest

from bots.arena import play_game, play_hands
from bots.strategies import stud
from bots.strategies.balance import Balance
from bots.strategies.blockhead import near_equilibrium
from bots.strategies.moves import QuestionCount, call, check_or_fold, raise_by
from bots.strategies.tight import Tight
from bots.strategy import Maker, Simple, Strategy
from protocol.games.base import Action
from protocol.games.blockhead import BlockheadGame, BlockheadTurn, card_value, cards_value
from protocol.games.stud import StudGame


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
