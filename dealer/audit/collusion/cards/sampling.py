"""Estimate by random cards which part of the pot a player's cards win against one opponent."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from protocol.cards import DECK, Card
from protocol.games.game import Game

#: Random deals. One half is estimated with a standard error of 0.11, which is enough for classes of cards.
SAMPLE = 20


class Known(NamedTuple):
    """The cards that are known.

    Attributes:
        own: hole cards first.
        hole: of the opponent; empty where they are unknown.
        up: of the opponent, face up.
        board: that belong to both.
    """

    own: tuple[Any, ...]
    hole: tuple[Any, ...]
    up: tuple[Any, ...]
    board: tuple[Any, ...]


#: The part of the pot that the own cards win on average if nobody folds.
PotShare = Callable[[Game, Known], float]


def sampled(known: Known, draws: int, won: Callable[[Sequence[Card]], float]) -> float:
    """The mean of ``won`` over random cards, which depend on the known cards alone.

    Args:
        known: cards that cannot be drawn.
        draws: cards in each sample.
        won: the part of the pot, from 0 to 1, that is won if these cards come.
    """
    if not draws:
        return won(())
    seen = [card for cards in known for card in cards]
    unseen = [card for card in DECK if card not in seen]
    chance = Random(" ".join(card.text for card in seen))
    return sum(won(chance.sample(unseen, draws)) for _ in range(SAMPLE)) / SAMPLE


def better(own: int, other: int) -> float:
    """The part of the pot that the stronger of two hands wins: 1, 0, or a half."""
    return (own > other) + (own == other) / 2
