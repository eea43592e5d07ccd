"""Hole cards that players of a hand may hold, and what each kind of player sees in them."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from bots.strategies.holdem.chart import chart_of, starting_hand_group
from bots.strategies.holdem.preflop import class_cards, class_of, win_rates
from bots.strategies.holdem.ring_kernel import (
    COMPILED,
    LOOKS,
    MOST_RIVALS,
    RIVER,
    RUNGS,
    STEPS,
    Ints,
    ints,
    look,
)
from protocol.cards import DECK, Card, Rank
from protocol.games.holdem_hand import BOARD
from protocol.games.poker_strength import card_bits

#: Hole cards that are drawn where nothing is compiled; otherwise all are looked at.
POOL = 250
#: Boards that are dealt to tell win rates on a street.
FINALS = 60 if COMPILED else 8

_CHART = {"weak": 0, "fair": 1, "strong": 2}
_HOLES = [card_bits(pair) for pair in combinations(DECK, 2)]
_CLASSES = [class_of(*pair) for pair in combinations(DECK, 2)]


class Scene(NamedTuple):
    """A street, and what is needed to tell what is seen in cards on it.

    Attributes:
        street: from 1.
        board: as bits.
        finals: boards that may follow.
    """

    street: int
    board: int
    finals: Ints


class Pool:
    """Hole cards of one hand that opponents may hold, and the own ones behind them.

    Attributes:
        holes: as bits.
        now: what is seen in each on the street under way, ``LOOKS`` numbers each.
        scene: the street under way.
        deck: cards that nobody has seen.
    """

    def __init__(self, hole: Sequence[Card], rng: Random) -> None:
        self._rng, own = rng, card_bits(hole)
        numbers = [number for number, bits in enumerate(_HOLES) if not bits & own]
        if not COMPILED:
            numbers = rng.sample(numbers, POOL)
        self.holes = ints([*[_HOLES[number] for number in numbers], own])
        seen, at_first = [_CLASSES[number] for number in numbers], _at_first()
        self.now = ints(number for index in [*seen, class_of(hole[0], hole[1])] for number in at_first[index])
        self._unseen = [card for card in DECK if card not in hole]
        self.scene = Scene(1, 0, ints([]))
        self._scenes = {1: self.scene}
        self.deck = ints(card_bits([card]) for card in self._unseen)

    @property
    def size(self) -> int:
        """How many cards opponents may hold."""
        return len(self.holes) - 1

    def turn_to(self, street: int, board: Sequence[Card]) -> None:
        """See what is seen in the cards on a new street."""
        if street == self.scene.street:
            return
        self._unseen = [card for card in self._unseen if card not in board]
        self.deck = ints(card_bits([card]) for card in self._unseen)
        bits, missing = card_bits(board), BOARD[RIVER] - len(board)
        count = FINALS if street < RIVER else 1
        finals = ints(bits | card_bits(self._rng.sample(self._unseen, missing)) for _ in range(count))
        self.scene = self._scenes[street] = Scene(street, bits, finals)
        self.now = self._look(self.scene, self.holes)

    def _look(self, scene: Scene, some: Ints) -> Ints:
        now, rungs = ints([0] * (LOOKS * len(some))), ints([0] * (RUNGS * len(scene.finals)))
        look(self.holes, some, scene.board, scene.street, scene.finals, rungs, now)
        return now

    def seen_in(self, street: int, hole: Sequence[Card]) -> Ints | None:
        """What was seen in cards on a street; None if there was no question on it."""
        scene = self._scenes.get(street)
        if scene is None:
            return None
        return ints(seen_at_first(hole[0], hole[1])) if street == 1 else self._look(scene, ints([card_bits(hole)]))


def seen_at_first(first: Card, second: Card) -> Sequence[int]:
    """What is seen in hole cards before the flop, ``LOOKS`` numbers."""
    return _at_first()[class_of(first, second)]


@cache
def _at_first() -> Sequence[Sequence[int]]:
    """By class: what is seen in cards before the flop."""
    return [_first_look(*class_cards(index)[0], win_rates()[index]) for index in range(len(win_rates()))]


def _first_look(first: Card, second: Card, rates: Sequence[float]) -> list[int]:
    steps = [min(STEPS - 1, int(rate * STEPS)) for rate in rates[1 : MOST_RIVALS + 1]]
    power = 2 if first.rank == second.rank else int(max(first.rank, second.rank) > Rank.NINE)
    return [0, *steps, _CHART[chart_of((first, second), ())], power, starting_hand_group(first, second)]
