"""How the bot of fixed-limit hold'em plays every pair of hole cards on one board. Needs numba.

Up to the turn that is read from the table. On the river it is solved: the table tells what both players may hold after
the betting so far, and from these two ranges ``limit_river`` finds an equilibrium of the river, with all hole cards
told apart.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.strategies.holdem.limit_river import STEPS, solve
from bots.strategies.holdem.limit_tree import (
    HOLE_BUCKETS,
    LEVELS,
    PARTS,
    RIVER,
    RIVER_BUCKETS,
    SEEN,
    Betting,
    Node,
    Thresholds,
    path,
    texture,
    tree,
)
from bots.strategies.holdem.preflop import class_of
from protocol.cards import DECK
from protocol.games.kernels.holdem import BOARD, CARDS, PAIRS, Cards, mean_percentiles, percentiles_of

Weights = NDArray[np.floating[Any]]
Places = NDArray[np.int16]

#: How often turn and river are dealt to put cards into a bucket on the flop.
FLOP_ROUNDS = 150
#: Of CFR+ on the river.
ITERATIONS = 100
#: How often each action is taken to be played at least, since an opponent may play otherwise than the table.
LEAST = 0.01
#: The cards of each pair, the lower one first: uint8 (PAIRS, 2).
HOLES = np.array([(first, second) for second in range(CARDS) for first in range(second)], np.uint8)
#: Pairs of hole cards that five cards leave.
LIVE = 47 * 46 // 2


def by_strength(board: Cards) -> tuple[Places, Places]:
    """The pairs that a board of five leaves, the weakest first, and for each place the first place of stronger ones.

    Args:
        board: int8 (5,).

    Returns:
        Two arrays: int16 (LIVE,).
    """
    percentiles = np.empty(PAIRS)
    percentiles_of(board, percentiles)
    order = np.argsort(percentiles, kind="stable")[PAIRS - LIVE :].astype(np.int16)
    ordered = percentiles[order]
    return order, np.searchsorted(ordered, ordered, side="right").astype(np.int16)


@cache
def opening_classes() -> NDArray[np.int64]:
    """By pair: its bucket before the flop, which is its class in ``preflop``."""
    return np.array([class_of(DECK[first], DECK[second]) for first, second in HOLES])


def hole_buckets(street: int, values: NDArray[np.float64], thresholds: Thresholds) -> NDArray[np.int64]:
    """The buckets of hole cards on the flop (street 1), turn (2) or river (3): int64 (n,), below ``HOLE_BUCKETS``.

    Args:
        street: from 1.
        values: float64 (n, 2), the expected percentile on the river, and that of its square, larger for draws.
        thresholds: for flop and turn, the bounds of groups by square, and those of each group's parts by mean.
    """
    if street == RIVER:
        return np.minimum(values[:, 0] * RIVER_BUCKETS, RIVER_BUCKETS - 1).astype(np.int64)
    groups, parts = (np.array(part) for part in thresholds[street - 1])
    group = np.searchsorted(groups, values[:, 1], side="right")
    return np.asarray(group * PARTS + (values[:, :1] >= parts[group]).sum(axis=1), np.int64)


def board_seed(board: Cards) -> int:
    """The seed of the cards to come on a board, so that the same board always has the same ones."""
    return int.from_bytes(hashlib.sha256(board.tobytes()).digest()[:8], "big")


class BoardStrategy:
    """What ``LimitPlayer`` plays on a board.

    Args:
        table: see ``limit_tree.load``.
        board: the cards that are on it so far, by their index in ``DECK``.
    """

    def __init__(self, table: dict[str, Any], board: Sequence[int] | Cards) -> None:
        self._moves = np.frombuffer(table["moves"], np.uint8)
        self._board = np.asarray(board, np.int8)
        self._buckets = [opening_classes()]
        for street in range(1, RIVER):
            if len(seen := self._board[: SEEN[street]]) == SEEN[street]:
                means = mean_percentiles(seen, FLOP_ROUNDS, np.uint64(board_seed(seen)))
                kind = texture(seen.tolist()) * HOLE_BUCKETS[street]
                self._buckets.append(kind + hole_buckets(street, means, table["thresholds"]))
        self._rivers: dict[Betting, tuple[Places, NDArray[np.float32]]] = {}

    def shares(self, node: Node) -> Weights:
        """How often each pair of hole cards folds, calls and raises at a decision: float64 (3, PAIRS)."""
        if node.street < RIVER:
            return self._read(node)
        before, (checked, bets) = node.betting[:-1], node.betting[-1]
        if before not in self._rivers:
            self._rivers[before] = self._solved(node)
        order, moves = self._rivers[before]
        shares = np.repeat([[0.0], [1.0], [0.0]], PAIRS, axis=1)
        shares[:, order] = moves[STEPS * checked + bets]
        return shares

    def _read(self, node: Node) -> Weights:
        """Read the table; a fold where nothing is owed, and a raise after the last one, are calls."""
        rows = self._moves[node.row + self._buckets[node.street]]
        folds = (rows >> 4) / LEVELS * node.owes
        raises = (rows & 15) / LEVELS * node.may_raise
        return np.array([folds, 1 - folds - raises, raises])

    def _solved(self, node: Node) -> tuple[Places, NDArray[np.float32]]:
        """The pairs by strength, and how they play the river after the betting before it; see ``solve``."""
        order, ends = by_strength(self._board)
        weights = self.ranges(node.betting[:-1])[:, order].astype(np.float32)
        weights /= weights.max(axis=1, keepdims=True)
        return order, solve(weights, HOLES[order], ends, node.put, ITERATIONS)

    def ranges(self, before: Betting) -> Weights:
        """What both may hold after the betting of the streets before the river: float64 (2, PAIRS).

        The first player on the river comes first. Cards of the board are not left out.
        """
        weights = np.ones((2, PAIRS))
        for node, move in path(before):
            shares = self._read(node)[move]
            acts = int(node.first_acts == (node.street == 0))  # 1 is the button, last on the river
            weights[acts] *= np.maximum(shares, LEAST)
        return weights


def warm_up(table: dict[str, Any]) -> None:
    """Compile all that a hand needs, or load it from the cache: seconds."""
    BoardStrategy(table, range(BOARD)).shares(tree()[((True, 0), (True, 0), (True, 0), (False, 0))])
