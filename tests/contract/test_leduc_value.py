"""The known value of Leduc hold'em, reached with a solver that knows nothing but the contract."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from protocol.cards import Card
from protocol.games.registry import load_game
from tests.contract.solver import build, value

#: Chips a hand for the player who acts first, when both play an equilibrium.
KNOWN_VALUE = -0.0856


def knows(hand: Any, seat: int) -> tuple[int, ...]:
    """The ranks of the hole card and the board, since suits never count."""
    return tuple(card.rank for card in (*hand.hole(seat), *hand.public().board))


@pytest.mark.usefixtures("_leduc_on_path")
def test_the_value_of_leduc() -> None:
    game = load_game("leduc")()
    deals: dict[tuple[int, ...], tuple[float, tuple[Card, ...]]] = {}
    deck = game.chance.outcome(bytes(range(6)))
    for cards in permutations(deck, 3):
        ranks = tuple(card.rank for card in cards)
        weight, _ = deals.get(ranks, (0.0, cards))
        deals[ranks] = weight + 1 / 120, cards
    match = game.start(2)
    hands = [match.deal((*cards, *(card for card in deck if card not in cards))) for _, cards in deals.values()]
    assert hands[0].to_act == 0  # so the value is that of the player who acts first
    weights = np.array([weight for weight, _ in deals.values()])
    assert value(build(hands, knows), weights, 400) == pytest.approx(KNOWN_VALUE, abs=0.001)
