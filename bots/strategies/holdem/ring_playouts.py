"""Try choices at a table: the hand is played out many times after each, all acting by their kinds."""

from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random

from bots.strategies.holdem.loop_places import loop_places
from bots.strategies.holdem.ring_cards import Pool
from bots.strategies.holdem.ring_kernel import (
    COMPILED,
    KIND_COUNT,
    LUCK,
    PLAYERS,
    RIVER,
    RUNGS,
    SEATS,
    TABLE,
    Dealt,
    Ints,
    Known,
    ints,
    no_floats,
    no_ints,
    simulate,
)
from bots.strategies.holdem.ring_kinds import curves, gives_up, rates, respect
from bots.strategies.holdem.ring_reads import RingRead

#: Deals before the first choice is left out, in each batch after that, and at most. Few deals would not do: much of
#: what a small bet wins comes from seldom large pots.
FIRST, DEALS, MOST = (200, 200, 1200) if COMPILED else (16, 8, 64)
#: Two choices are told apart when their difference is so many times its standard error.
CLEAR = 2.0


def new_dealt(chance: int, deck: Ints) -> Dealt:
    """Cards that are dealt from ``deck``, which is shuffled in place, when the first of them is written."""
    by_street = RIVER + 1
    return Dealt(
        ints([chance]),
        deck,
        no_ints(TABLE),
        no_ints(SEATS),
        no_ints(SEATS),
        no_ints(by_street),
        no_floats(LUCK),
        no_ints(by_street * RUNGS),
        no_ints(by_street * SEATS),
    )


class Trial:
    """Plays a hand on from one question.

    Args:
        reads: of the opponents by their place in the order of the table, and how likely each is of each kind.
    """

    def __init__(
        self, table: Ints, pool: Pool, reads: Mapping[int, tuple[RingRead, Sequence[float]]], rng: Random
    ) -> None:
        limits = no_floats(table[PLAYERS] * KIND_COUNT * pool.size)
        for player, (read, trust) in reads.items():
            read.add_up(limits, player, trust)
        fixed = rates(), curves(), respect(), gives_up(), loop_places()
        self._known = Known(table, pool.holes, pool.now, *fixed, limits, pool.scene.board)
        self._dealt = new_dealt(rng.getrandbits(48), pool.deck)

    def best(self, choices: Sequence[int]) -> int:
        """The chips that win most, -1 for a fold: the hand is played on until that is clear, or often enough."""
        sums, squares = [0.0] * len(choices), [[0.0] * len(choices) for _ in choices]
        left, deals = list(range(len(choices))), 0
        for count in [FIRST] + [DEALS] * ((MOST - FIRST) // DEALS):
            self._try([choices[number] for number in left], left, count, sums, squares)
            deals += count
            top = max(left, key=sums.__getitem__)
            left = [
                number
                for number in left
                if number == top or not _is_clear(sums[top] - sums[number], squares[top][number], deals)
            ]
            if len(left) == 1:
                break
        return choices[max(left, key=sums.__getitem__)]

    def _try(
        self, chips: Sequence[int], left: Sequence[int], deals: int, sums: list[float], squares: list[list[float]]
    ) -> None:
        """Play on with each of the choices that are left, and add up what they win."""
        won, differences = no_floats(len(left)), no_floats(len(left) ** 2)
        simulate(self._known, self._dealt, ints(chips), deals, won, differences)
        for place, number in enumerate(left):
            sums[number] += won[place]
            for other, second in enumerate(left):
                squares[number][second] += differences[place * len(left) + other]


def _is_clear(difference: float, squares: float, deals: int) -> bool:
    """Whether what was won in the same deals differs by more than chance explains.

    Args:
        difference: of the sums.
        squares: the sum of the squared differences.
        deals: how many.
    """
    variance = max(0.0, squares - difference * difference / deals)
    return difference > CLEAR * sqrt(variance)
