"""The river that the bot solves: a game whose answer is known, and what a best response wins from the solution."""

import numpy as np
import pytest

from bots.strategies.holdem.limit_board import BoardStrategy
from bots.strategies.holdem.limit_table import load
from bots.strategies.holdem.limit_tree import BET_SIZES, CALL, RAISE, RIVER, tree
from protocol.cards import DECK, parse_cards
from protocol.games.kernels.holdem import Cards

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
