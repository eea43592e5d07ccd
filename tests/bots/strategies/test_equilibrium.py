"""The table of fixed-limit hold'em: its tree, its buckets, how a player finds its place in it, and a solved river."""

from random import Random

import numpy as np
import pytest

from bots.strategies.holdem.equilibrium import Equilibrium
from bots.strategies.holdem.equity import Equity
from bots.strategies.holdem.limit_board import BoardStrategy
from bots.strategies.holdem.limit_cards import opening_bucket
from bots.strategies.holdem.limit_table import LEVELS, load
from bots.strategies.holdem.limit_tree import BET_SIZES, BUCKETS, CALL, RAISE, RIVER, Betting, path, rows, tree
from protocol.cards import DECK, parse_cards
from protocol.games.holdem import HoldemGame
from protocol.games.kernels.holdem import Cards
from protocol.wire.messages import GameInfo
from tests.protocol.helpers import shuffled_deck

GAME = HoldemGame(betting="fixed-limit", reset_stacks=1)
#: Decisions of one street that begins without a bet, and ways in which it ends without a fold; before the flop fewer.
DECISIONS, ENDS, OPENING_DECISIONS, OPENING_ENDS = 10, 9, 8, 7


def test_tree_has_all_decisions_of_fixed_limit() -> None:
    streets = [sum(node.street == street for node in tree().values()) for street in range(4)]
    ways = OPENING_ENDS
    assert streets == [OPENING_DECISIONS, *(ways * ENDS**street * DECISIONS for street in range(3))]
    assert rows() == sum(BUCKETS[node.street] for node in tree().values())
    assert len(load()["moves"]) == rows(RIVER) == min(node.row for node in tree().values() if node.street == RIVER)


def test_path_leads_to_the_next_street() -> None:
    for betting, node in tree().items():
        if betting[-1] == (False, 0):
            at: Betting | None = ((False, 0),)
            for passed, move in path(betting[:-1]):
                assert passed.betting == at
                at = (None, passed.after_call, passed.after_raise)[move]
            assert at == betting
            assert node.street == len(betting) - 1


def test_opening_buckets_are_the_169_kinds_of_two_cards() -> None:
    kinds = {opening_bucket(first, second) for first in range(52) for second in range(first)}
    assert kinds == set(range(169))
    assert opening_bucket(51, 50) != opening_bucket(51, 47)


def test_shares_of_a_row_add_up_to_one_at_most() -> None:
    assert all((byte >> 4) + (byte & 15) <= LEVELS for byte in set(load()["moves"]))


def test_first_raise_is_never_folded_to_with_aces_and_mostly_with_the_worst_cards() -> None:
    raised = tree()[((False, 1),)].row
    moves = load()["moves"]
    assert moves[raised + opening_bucket(51, 50)] >> 4 == 0
    assert moves[raised + opening_bucket(20, 1)] >> 4 >= LEVELS / 2


@pytest.mark.parametrize(("game", "players"), [(HoldemGame(), 2), (GAME, 3)])
def test_other_games_are_played_as_equity_plays_them(game: HoldemGame, players: int) -> None:
    turn = game.start(players).deal(shuffled_deck(b"other", 0, 0)).view(0)
    bot = Equilibrium(Random(5))
    bot.game_begins(GameInfo.about(game, 0, players))
    assert bot.decide(turn) == Equity(Random(5)).decide(turn)
    assert bot.rng.random() != Random(5).random()  # it has dealt cards, as the table never does


BOARD = "AS KS QS JS 2D"


def cards(text: str) -> Cards:
    return np.array([DECK.index(card) for card in parse_cards(text)], np.int8)


def test_range_before_the_river_is_what_the_table_plays() -> None:
    strategy = BoardStrategy(load(), cards(BOARD))
    opening = strategy.shares(tree()[((False, 0),)])[RAISE]
    answer = strategy.shares(tree()[((False, 1),)])[CALL]
    first, second = strategy.ranges(((False, 1),))
    assert second == pytest.approx(np.maximum(opening, 0.01))  # the button, which acts last on the river
    assert first == pytest.approx(np.maximum(answer, 0.01))
    assert BET_SIZES[RIVER] == 2
