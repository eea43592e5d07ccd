"""Values of all hole cards against a range in fixed-limit hold'em, compiled.

A *range* has a weight for each pair of hole cards, in the order of ``PAIRS``. What a pair wins from a range counts only
pairs that share no card with it. With the pairs in order of strength, that takes one pass up and one down: the weight
that was passed, less what was passed with either of the own cards.
"""

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from bots.strategies.holdem.limit_board import HOLES, LIVE, Places, Weights, by_strength, opening_classes
from bots.strategies.holdem.preflop import equities
from protocol.games.kernels.compiling import jit
from protocol.games.kernels.holdem import BOARD, CARDS, PAIRS, Cards

Holes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Rivers:
    """Boards of five cards, with the pairs of hole cards by their strength.

    Attributes:
        order: int16 (boards, LIVE), the pairs that the board leaves, the weakest first.
        ends: int16 (boards, LIVE), for each place in ``order``, the first place of stronger pairs.
        compatible: on how many of the boards two players can have their cards, as the mean over those cards.
    """

    order: Places
    ends: Places
    compatible: float

    @classmethod
    def of(cls, boards: Cards, seen: int = BOARD) -> "Rivers":
        """Sort the pairs on boards: int8 (boards, 5), of which the first ``seen`` cards are the same."""
        order = np.empty((len(boards), LIVE), np.int16)
        ends = np.empty((len(boards), LIVE), np.int16)
        for number, board in enumerate(boards):
            order[number], ends[number] = by_strength(board)
        missing = BOARD - seen
        share = comb(CARDS - seen - 4, missing) / comb(CARDS - seen, missing)
        return cls(order, ends, len(boards) * share)


@jit
def add_rest(weights: Weights, holes: Holes, factor: float, result: Weights) -> None:
    """Add to ``result``, by hole cards, the weight that shares no card with them, times ``factor``.

    Args:
        weights: float (n,), of the other's hole cards.
        holes: uint8 (n, 2), these hole cards.
        factor: multiplies the weight.
        result: float (n,), written.
    """
    cards = np.zeros(CARDS, weights.dtype)
    total = weights.sum()
    for hand in range(len(weights)):
        cards[holes[hand, 0]] += weights[hand]
        cards[holes[hand, 1]] += weights[hand]
    for hand in range(len(weights)):
        result[hand] += factor * (total - cards[holes[hand, 0]] - cards[holes[hand, 1]] + weights[hand])


@jit
def add_margin(weights: Weights, holes: Holes, ends: Places, factor: float, result: Weights) -> None:
    """Add to ``result``, by hole cards, the weight they beat less the weight that beats them, times ``factor``.

    Args:
        weights: float (n,), of the other's hole cards, the weakest first.
        holes: uint8 (n, 2), these hole cards.
        ends: int16 (n,), for each the first place of stronger ones.
        factor: multiplies the weight.
        result: float (n,), written.
    """
    below, above = np.zeros(CARDS, weights.dtype), np.zeros(CARDS, weights.dtype)
    under, over = weights[:0].sum(), weights.sum()
    for hand in range(len(weights)):
        above[holes[hand, 0]] += weights[hand]
        above[holes[hand, 1]] += weights[hand]
    first = 0
    while first < len(weights):
        end = ends[first]
        for hand in range(first, end):
            over -= weights[hand]
            above[holes[hand, 0]] -= weights[hand]
            above[holes[hand, 1]] -= weights[hand]
        for hand in range(first, end):
            one, other = holes[hand, 0], holes[hand, 1]
            result[hand] += factor * ((under - below[one] - below[other]) - (over - above[one] - above[other]))
        for hand in range(first, end):
            under += weights[hand]
            below[holes[hand, 0]] += weights[hand]
            below[holes[hand, 1]] += weights[hand]
        first = end


@jit
def unblocked(weights: Weights) -> Weights:
    """By pair: the weight of all pairs that share no card with it; float64 (PAIRS,)."""
    result = np.zeros(PAIRS)
    add_rest(weights, HOLES, 1.0, result)
    return result


def mean_margin(rivers: Rivers, weights: Weights) -> Weights:
    """By pair: the weight that it beats less the weight that beats it, as the mean over boards; float64 (PAIRS,)."""
    result = np.zeros(PAIRS)
    add_margins(rivers.order, rivers.ends, weights, 1 / rivers.compatible, result)
    return result


@jit
def add_margins(orders: Places, ends: Places, weights: Weights, factor: float, result: Weights) -> None:
    """Add to ``result``, by pair, the margins on all boards, times ``factor``; see ``Rivers`` and ``add_margin``."""
    holes, here, margin = np.empty((LIVE, 2), np.uint8), np.empty(LIVE), np.empty(LIVE)
    for number in range(len(orders)):
        order = orders[number]
        for place in range(LIVE):
            here[place] = weights[order[place]]
            holes[place, 0], holes[place, 1] = HOLES[order[place], 0], HOLES[order[place], 1]
        margin[:] = 0.0
        add_margin(here, holes, ends[number], factor, margin)
        for place in range(LIVE):
            result[order[place]] += margin[place]


@cache
def opening_margins() -> Weights:
    """By pair and pair: the pots won less those lost, all in before the flop; 0 for pairs that share a card.

    It is exact for the classes of both pairs, whose suits count as in the mean.
    """
    classes = opening_classes()
    margins = 2 * np.array(equities())[np.ix_(classes, classes)] - 1
    for column in range(2):
        for other in range(2):
            margins[HOLES[:, None, column] == HOLES[None, :, other]] = 0.0
    return np.asarray(margins, np.float64)


def rivers_after(board: Cards, count: int, rng: np.random.Generator) -> Rivers:
    """The ways in which a board may be completed: one on the river, all on the turn, ``count`` random ones on the flop.

    Args:
        board: int8 (3,) to (5,).
        count: how many on the flop.
        rng: draws these.
    """
    rest = np.setdiff1d(np.arange(CARDS, dtype=np.int8), board)
    missing = BOARD - len(board)
    if missing < 2:
        more = rest[:, None][: len(rest) if missing else 1, :missing]
    else:
        more = np.array([rng.choice(rest, missing, replace=False) for _ in range(count)], np.int8)
    return Rivers.of(np.hstack([np.tile(board, (len(more), 1)), more]).astype(np.int8), len(board))
