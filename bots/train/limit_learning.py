"""Monte Carlo CFR for fixed-limit hold'em between two players, over all hole cards of a board at once.

In each iteration a board is drawn from a sample, and each player learns from it once. The learner tries all actions.
Of the other's actions, folds are counted in full, and of call and raise one is drawn, mostly by how much of its range
takes it; the range is then divided by that chance, so that values are right on average. Regrets and averages are
weighted by the number of the iteration.

Hole cards are numbered on each board by their strength on the river, the weakest first.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bots.strategies.holdem.limit_board import HOLES, LIVE, Places
from bots.strategies.holdem.limit_tree import HOLE_BUCKETS, rows, tree
from bots.train.limit_ranges import Holes, Rivers, add_margin, add_rest
from protocol.games.kernels.compiling import jit
from protocol.games.kernels.holdem import next_random

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Sums = NDArray[np.float32]
Buckets = NDArray[np.uint8]

#: Where a call of a node leads if that is the showdown, and a move that is not allowed.
SHOWDOWN, NOT_ALLOWED = -1, -2
#: Columns of the tree as an array.
STREET, FIRST_ACTS, OWES, ON_CALL, ON_RAISE, ROW = range(6)
_SLICE = np.array(HOLE_BUCKETS)
#: Pairs of hole cards that the other may have.
_OTHERS = 45 * 44 // 2
#: How often a raise, or a call, is drawn at least, so that answers to rare actions are learned too.
_EXPLORED = 0.1
#: The weight of an iteration is its number times this, which keeps sums small.
_WEIGHT = 1e-3


def tree_arrays() -> tuple[Ints, Floats]:
    """The tree as int64 (nodes, 6), and by node what a fold loses and what a showdown after a call is for."""
    nodes = list(tree().values())
    number = {node.betting: index for index, node in enumerate(nodes)}
    shape = np.array(
        [
            (
                node.street,
                node.first_acts,
                node.owes,
                SHOWDOWN if node.after_call is None else number[node.after_call],
                number[node.after_raise] if node.may_raise else NOT_ALLOWED,
                node.row,
            )
            for node in nodes
        ],
        np.int64,
    )
    return shape, np.array([(node.loss, node.stake) for node in nodes])


@dataclass(frozen=True, slots=True)
class Boards:
    """A sample of boards.

    Attributes:
        rivers: hole cards by their strength on the river.
        textures: uint8 (boards, 4), of the board by street.
        buckets: uint8 (boards, 4, LIVE), of the hole cards in ``order`` by street.
    """

    rivers: Rivers
    textures: Buckets
    buckets: Buckets


@jit
def match(regrets: Sums, owes: bool, may_raise: bool, strategy: Sums) -> None:
    """Regret matching by bucket; where there is no regret, all that is allowed in equal parts."""
    part = np.float32(1.0 / (1 + owes + may_raise))
    for bucket in range(len(regrets)):
        fold = max(regrets[bucket, 0], np.float32(0.0))
        call = max(regrets[bucket, 1], np.float32(0.0))
        more = max(regrets[bucket, 2], np.float32(0.0))
        total = fold + call + more
        if total > 0:
            strategy[bucket, 0], strategy[bucket, 1], strategy[bucket, 2] = fold / total, call / total, more / total
        else:
            strategy[bucket, 0], strategy[bucket, 1], strategy[bucket, 2] = part * owes, part, part * may_raise


@jit
def gain(
    values: Sums,
    bucket: Buckets,
    strategy: Sums,
    owes: bool,
    may_raise: bool,
    weight: np.float32,
    regret: Sums,
    result: Sums,
) -> None:
    """Fill ``result`` with what the strategy wins, and add to the regrets of each bucket.

    Args:
        values: float32 (3, LIVE), of fold, call and raise with each hole cards.
        bucket: uint8 (LIVE,), of the hole cards.
        strategy: float32 (buckets, 3).
        owes: whether a fold is allowed.
        may_raise: whether a raise is allowed.
        weight: of this iteration.
        regret: float32 (buckets, 3), written.
        result: float32 (LIVE,), written.
    """
    for hand in range(LIVE):
        own = bucket[hand]
        fold, call, more = values[0, hand], values[1, hand], values[2, hand]
        mean = strategy[own, 0] * fold + strategy[own, 1] * call + strategy[own, 2] * more
        result[hand] = mean
        regret[own, 1] += weight * (call - mean)
        if owes:
            regret[own, 0] += weight * (fold - mean)
        if may_raise:
            regret[own, 2] += weight * (more - mean)


@jit
def walk(
    node: int,
    learner: int,
    weights: Sums,
    weight: np.float32,
    holes: Holes,
    ends: Places,
    textures: Buckets,
    buckets: Buckets,
    shape: Ints,
    chips: Floats,
    regrets: Sums,
    averages: Sums,
    state: NDArray[np.uint64],
    result: Sums,
) -> None:
    """Fill ``result``: what the learner wins from a node on with each hole cards, summed over the other's weights.

    Args:
        node: in ``shape``.
        learner: 0 is the button, which acts first before the flop and last after it.
        weights: float32 (LIVE,), how likely the other is here with each hole cards.
        weight: of this iteration.
        holes: uint8 (LIVE, 2), the cards by strength.
        ends: see ``Rivers``.
        textures: see ``Boards``, of this board.
        buckets: see ``Boards``, of this board.
        shape: see ``tree_arrays``.
        chips: see ``tree_arrays``.
        regrets: float32 (rows, 3).
        averages: float32 (rows, 3).
        state: uint64 (1,), of the generator.
        result: float32 (LIVE,), written.
    """
    street = shape[node, STREET]
    player = 1 - shape[node, FIRST_ACTS] if street == 0 else shape[node, FIRST_ACTS]
    count = _SLICE[street]
    row = shape[node, ROW] + textures[street] * count
    bucket, regret, average = buckets[street], regrets[row : row + count], averages[row : row + count]
    to_raise, to_call = shape[node, ON_RAISE], shape[node, ON_CALL]
    owes, may_raise = shape[node, OWES] == 1, to_raise >= 0
    strategy = np.empty((count, 3), np.float32)
    match(regret, owes, may_raise, strategy)
    if player == learner:
        values = np.zeros((3, LIVE), np.float32)
        if owes:
            add_rest(weights, holes, -chips[node, 0], values[0])
        if to_call < 0:
            add_margin(weights, holes, ends, chips[node, 1], values[1])
        else:
            walk(
                to_call, learner, weights, weight, holes, ends, textures, buckets,
                shape, chips, regrets, averages, state, values[1],
            )  # fmt: skip
        if may_raise:
            walk(
                to_raise, learner, weights, weight, holes, ends, textures, buckets,
                shape, chips, regrets, averages, state, values[2],
            )  # fmt: skip
        gain(values, bucket, strategy, owes, may_raise, weight, regret, result)
        return
    mass = np.zeros(count, np.float32)
    for hand in range(LIVE):
        mass[bucket[hand]] += weights[hand]
    calls = raises = 0.0
    for own in range(count):
        calls += mass[own] * strategy[own, 1]
        raises += mass[own] * strategy[own, 2]
        for move in range(3):
            average[own, move] += weight * mass[own] * strategy[own, move]
    part = np.empty(LIVE, np.float32)
    result[:] = 0.0
    if owes:
        for hand in range(LIVE):
            part[hand] = weights[hand] * strategy[bucket[hand], 0]
        add_rest(part, holes, chips[node, 0], result)
    if calls + raises <= 0.0:
        return
    if calls > 0 and raises > 0:
        chance = _EXPLORED + (1 - 2 * _EXPLORED) * raises / (calls + raises)
    else:
        chance = 1.0 if raises > 0 else 0.0
    state[0] = next_random(state[0])
    move = 2 if (state[0] >> np.uint64(11)) / 9007199254740992.0 < chance else 1
    factor = np.float32(1 / (chance if move == 2 else 1 - chance))
    for hand in range(LIVE):
        part[hand] = factor * weights[hand] * strategy[bucket[hand], move]
    if move == 1 and to_call < 0:
        add_margin(part, holes, ends, chips[node, 1], result)
        return
    after = np.empty(LIVE, np.float32)
    walk(
        to_raise if move == 2 else to_call, learner, part, weight, holes, ends, textures, buckets,
        shape, chips, regrets, averages, state, after,
    )  # fmt: skip
    result += after


@jit
def iterate(
    count: int,
    begin: int,
    order: Places,
    ends: Places,
    textures: Buckets,
    buckets: Buckets,
    shape: Ints,
    chips: Floats,
    regrets: Sums,
    averages: Sums,
    state: NDArray[np.uint64],
) -> None:
    """``count`` boards, numbered from ``begin``; both players learn from each."""
    weights = np.full(LIVE, 1.0 / _OTHERS, np.float32)
    result = np.empty(LIVE, np.float32)
    holes = np.empty((LIVE, 2), np.uint8)
    for number in range(begin, begin + count):
        state[0] = next_random(state[0])
        board = np.int64(((state[0] >> np.uint64(32)) * np.uint64(len(order))) >> np.uint64(32))
        for hand in range(LIVE):
            holes[hand, 0], holes[hand, 1] = HOLES[order[board, hand], 0], HOLES[order[board, hand], 1]
        for learner in range(2):
            walk(
                0, learner, weights, np.float32(_WEIGHT * (number + 1)), holes, ends[board], textures[board],
                buckets[board], shape, chips, regrets, averages, state, result,
            )  # fmt: skip


class Learner:
    """Learns the strategy of both players from a sample of boards."""

    def __init__(self, boards: Boards, seed: np.uint64) -> None:
        self._boards = boards
        self._shape, self._chips = tree_arrays()
        self._regrets, self.averages = np.zeros((rows(), 3), np.float32), np.zeros((rows(), 3), np.float32)
        self._state = np.array([seed], np.uint64)
        self.done = 0

    def learn(self, count: int) -> None:
        """Go through ``count`` boards."""
        boards = self._boards
        iterate(
            count, self.done, boards.rivers.order, boards.rivers.ends, boards.textures, boards.buckets,
            self._shape, self._chips, self._regrets, self.averages, self._state,
        )  # fmt: skip
        self.done += count
