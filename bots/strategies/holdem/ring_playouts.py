"""Try choices at a no-limit table: the hand is played out many times after each, all acting by their kinds."""

from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random

from bots.strategies.holdem.loop_places import loop_places
from bots.strategies.holdem.ring_cards import Pool
from bots.strategies.holdem.ring_kernel import (
    ASKED,
    BIG_BLIND,
    COMPILED,
    FULL_RAISE,
    HIGHEST,
    IN,
    KIND_COUNT,
    LEFT,
    LIVE,
    LUCK,
    ME,
    PLAYERS,
    POT,
    PUT,
    QUIET,
    RAISED,
    RIVER,
    RUNGS,
    SEATS,
    SPENT,
    STREET,
    TABLE,
    TO_ACT,
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
from bots.strategies.holdem.ring_watch import RingWatch

#: Deals before the first choice is left out, in each batch after that, and at most. Few deals would not do: much of
#: what a small bet wins comes from seldom large pots.
FIRST, DEALS, MOST = (200, 200, 1200) if COMPILED else (16, 8, 64)
#: Two choices are told apart when their difference is so many times its standard error.
CLEAR = 2.0


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
        by_street = RIVER + 1
        self._dealt = Dealt(
            ints([rng.getrandbits(48)]),
            pool.deck,
            no_ints(TABLE),
            no_ints(SEATS),
            no_ints(SEATS),
            no_ints(by_street),
            no_floats(LUCK),
            no_ints(by_street * RUNGS),
            no_ints(by_street * SEATS),
        )

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


def table_of(watch: RingWatch, order: Sequence[int], own: int, big_blind: int) -> Ints:
    """The table at an own question, as ``ring_kernel`` lays it out; players are counted in an order of seats."""
    table = no_ints(TABLE)
    table[ME], table[PLAYERS], table[LIVE] = order.index(own), len(order), len(order)
    table[POT], table[HIGHEST], table[FULL_RAISE] = watch.pot, watch.highest, watch.full_raise
    table[BIG_BLIND], table[STREET], table[QUIET] = big_blind, watch.street, int(watch.quiet)
    for player, seat in enumerate(order):
        table[LEFT + player], table[PUT + player] = watch.stacks[seat], watch.put[seat]
        table[SPENT + player] = watch.starting[seat] - watch.stacks[seat]
        table[ASKED + player], table[IN + player] = watch.asked[seat], 1
        table[TO_ACT + player] = int(seat in watch.pending)
        table[RAISED + player] = int(seat in watch.raisers)
    return table
