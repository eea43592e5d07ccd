"""Solve the river of fixed-limit hold'em between two players, given what each may hold: CFR+, compiled.

    strategy = solve(weights, holes, ends, 5.0, 100)     # how both play each pair of hole cards

Hole cards are numbered by their strength on the board, the weakest first. A node is numbered ``STEPS`` times whether
the river began with a check, plus the bets made, as in ``limit_tree``. One bet is two big blinds.

What ends the hand at any node is compared with the other's range in one pass over the hole cards, with the nodes side
by side. All else is done node by node, with the hole cards side by side. An iteration takes a fifth of a millisecond.
"""

import numpy as np
from numpy.typing import NDArray

from protocol.games.kernels.compiling import compiled_fast
from protocol.games.kernels.holdem import CARDS

Floats = NDArray[np.float32]
Places = NDArray[np.int16]
Holes = NDArray[np.uint8]

#: Bets on the river that are told apart, 0 to 4, and nodes: with and without a check first.
STEPS = 5
NODES = 2 * STEPS
#: Big blinds of a bet.
_BET = 2.0
#: The nodes, each after those that lead to it; the check that opens the river leads from 0 to ``STEPS``.
_ORDER = (0, 5, 1, 2, 3, 4, 6, 7, 8, 9)


@compiled_fast
def _acts(node: int) -> int:
    """Which player acts at a node: 0 is the first one on the river."""
    acts: int = (node % STEPS + node // STEPS) % 2
    return acts


@compiled_fast
def _spread(player: int, weights: Floats, strategy: Floats, reach: Floats, called: Floats, folded: Floats) -> None:
    """Fill, by hole cards and node, the range with which ``player`` comes to the end of a hand there.

    Args:
        player: whose range it is.
        weights: float32 (n,), at the beginning of the river.
        strategy: float32 (NODES, 3, n), fold, call and raise.
        reach: float32 (NODES + 1, n), written: the range at each node.
        called: float32 (n, NODES), written: after a call of either player at the node.
        folded: float32 (n, NODES), written: after a fold of either player at the node.
    """
    count = len(weights)
    reach[0] = weights
    for node in _ORDER:
        at, fold, call, more = reach[node], strategy[node, 0], strategy[node, 1], strategy[node, 2]
        own = _acts(node) == player
        after_raise = reach[node + 1 if node % STEPS < STEPS - 1 else NODES]
        after_call = reach[STEPS if node == 0 else NODES]
        if own:
            for hand in range(count):
                after_raise[hand] = at[hand] * more[hand]
            for hand in range(count):
                after_call[hand] = at[hand] * call[hand]
            for hand in range(count):
                called[hand, node] = at[hand] * call[hand]
                folded[hand, node] = at[hand] * fold[hand]
        else:
            after_raise[:] = at
            after_call[:] = at
            for hand in range(count):
                called[hand, node] = folded[hand, node] = at[hand]


@compiled_fast
def _margins(weights: Floats, holes: Holes, ends: Places, result: Floats) -> None:
    """Fill ``result``: by hole cards and node, the weight they beat less the weight that beats them.

    Args:
        weights: float32 (n, NODES), the other's range, the weakest first.
        holes: uint8 (n, 2), these hole cards.
        ends: int16 (n,), for each the first place of stronger ones.
        result: float32 (n, NODES), written.
    """
    # what is weaker less what is stronger, of the whole range and of all pairs with each card
    both, cards = np.zeros(NODES, np.float32), np.zeros((CARDS, NODES), np.float32)
    for hand in range(len(weights)):
        one, other = holes[hand, 0], holes[hand, 1]
        for node in range(NODES):
            weight = weights[hand, node]
            both[node] -= weight
            cards[one, node] -= weight
            cards[other, node] -= weight
    first = 0
    while first < len(weights):
        end = ends[first]
        for hand in range(first, end):
            one, other = holes[hand, 0], holes[hand, 1]
            for node in range(NODES):
                weight = weights[hand, node]
                both[node] += weight
                cards[one, node] += weight
                cards[other, node] += weight
        for hand in range(first, end):
            one, other = holes[hand, 0], holes[hand, 1]
            for node in range(NODES):
                result[hand, node] = both[node] - cards[one, node] - cards[other, node]
        for hand in range(first, end):
            one, other = holes[hand, 0], holes[hand, 1]
            for node in range(NODES):
                weight = weights[hand, node]
                both[node] += weight
                cards[one, node] += weight
                cards[other, node] += weight
        first = end


@compiled_fast
def _rests(weights: Floats, holes: Holes, result: Floats) -> None:
    """Fill ``result``: by hole cards and node, the weight that shares no card with them; see ``_margins``."""
    total, cards = np.zeros(NODES, np.float32), np.zeros((CARDS, NODES), np.float32)
    for hand in range(len(weights)):
        one, other = holes[hand, 0], holes[hand, 1]
        for node in range(NODES):
            weight = weights[hand, node]
            total[node] += weight
            cards[one, node] += weight
            cards[other, node] += weight
    for hand in range(len(weights)):
        one, other = holes[hand, 0], holes[hand, 1]
        for node in range(NODES):
            result[hand, node] = total[node] - cards[one, node] - cards[other, node] + weights[hand, node]


@compiled_fast
def _average(learner: int, weight: float, strategy: Floats, reach: Floats, averages: Floats) -> None:
    """Add the strategy of ``learner`` to its averages, by how often it comes to each node, times ``weight``.

    Args:
        strategy: float32 (NODES, 3, n).
        reach: float32 (NODES + 1, n), written.
        averages: float32 (NODES, 3, n), written.
    """
    reach[0] = weight
    for node in _ORDER:
        at, moves, sums = reach[node], strategy[node], averages[node]
        after_raise = reach[node + 1 if node % STEPS < STEPS - 1 else NODES]
        after_call = reach[STEPS if node == 0 else NODES]
        if _acts(node) == learner:
            for hand in range(reach.shape[1]):
                sums[0, hand] += at[hand] * moves[0, hand]
                sums[1, hand] += at[hand] * moves[1, hand]
                sums[2, hand] += at[hand] * moves[2, hand]
            for hand in range(reach.shape[1]):
                after_raise[hand] = at[hand] * moves[2, hand]
            for hand in range(reach.shape[1]):
                after_call[hand] = at[hand] * moves[1, hand]
        else:
            after_raise[:] = at
            after_call[:] = at


@compiled_fast
def _match(fold: Floats, call: Floats, more: Floats, moves: Floats) -> None:
    """Regret matching at a node: ``moves`` is float32 (3, n), written; a call where nothing is regretted."""
    for hand in range(len(call)):
        total = fold[hand] + call[hand] + more[hand]
        part = np.float32(1.0) / total if total > np.float32(0.0) else np.float32(0.0)
        moves[0, hand] = fold[hand] * part
        moves[2, hand] = more[hand] * part
        moves[1, hand] = np.float32(1.0) - moves[0, hand] - moves[2, hand]


@compiled_fast
def _learn(
    learner: int, put: float, margins: Floats, rests: Floats, values: Floats, regrets: Floats, strategy: Floats
) -> None:
    """Add to the regrets of ``learner``, none below 0, and match its strategy to them.

    Args:
        learner: whose they are.
        put: big blinds that each player has put in before the river.
        margins: see ``_margins``, after calls.
        rests: see ``_rests``, after folds.
        values: float32 (NODES + 1, n), written; the last row stays 0.
        regrets: float32 (NODES, 3, n), written.
        strategy: float32 (NODES, 3, n), written.
    """
    count = len(margins)
    values[NODES] = 0.0
    for turn in range(NODES):
        node = _ORDER[NODES - 1 - turn]
        bets = node % STEPS
        stake = np.float32(0.0 if node == 0 else put + _BET * bets)
        loss = np.float32(put + _BET * (bets - 1) if bets else 0.0)
        more, after_call = values[node + 1 if bets < STEPS - 1 else NODES], values[STEPS if node == 0 else NODES]
        value = values[node]
        if _acts(node) != learner:
            for hand in range(count):
                value[hand] = stake * margins[hand, node] + after_call[hand] + loss * rests[hand, node] + more[hand]
            continue
        moves, regret = strategy[node], regrets[node]
        may_fold, may_raise = np.float32(bets > 0), np.float32(bets < STEPS - 1)
        for hand in range(count):
            call = stake * margins[hand, node] + after_call[hand]
            fold = -loss * rests[hand, node]
            mean = moves[0, hand] * fold + moves[1, hand] * call + moves[2, hand] * more[hand]
            value[hand] = mean
            regret[0, hand] = may_fold * max(regret[0, hand] + fold - mean, np.float32(0.0))
            regret[1, hand] = max(regret[1, hand] + call - mean, np.float32(0.0))
            regret[2, hand] = may_raise * max(regret[2, hand] + more[hand] - mean, np.float32(0.0))
        _match(regret[0], regret[1], regret[2], moves)


@compiled_fast
def solve(weights: Floats, holes: Holes, ends: Places, put: float, iterations: int) -> Floats:
    """How both players play each pair of hole cards: float32 (NODES, 3, n), the chances of fold, call and raise.

    Args:
        weights: float32 (2, n), how likely each player has each hole cards, the first one on the river first.
        holes: uint8 (n, 2), these hole cards, the weakest first.
        ends: int16 (n,), for each the first place of stronger ones.
        put: big blinds that each player has put in before the river.
        iterations: of CFR+, each weighted by the square of its number in the average.
    """
    count = len(holes)
    regrets, averages = np.zeros((NODES, 3, count), np.float32), np.zeros((NODES, 3, count), np.float32)
    strategy = np.zeros((NODES, 3, count), np.float32)
    strategy[:, 1] = 1.0
    # one row more than nodes, for moves that lead to no other node
    rows = np.empty((NODES + 1, count), np.float32)
    called, folded = np.empty((count, NODES), np.float32), np.empty((count, NODES), np.float32)
    margins, rests = np.empty((count, NODES), np.float32), np.empty((count, NODES), np.float32)
    for number in range(1, iterations + 1):
        for learner in range(2):
            _spread(1 - learner, weights[1 - learner], strategy, rows, called, folded)
            _margins(called, holes, ends, margins)
            _rests(folded, holes, rests)
            _average(learner, float(number * number), strategy, rows, averages)
            _learn(learner, put, margins, rests, rows, regrets, strategy)
    for node in range(NODES):
        _match(averages[node, 0], averages[node, 1], averages[node, 2], strategy[node])
    return strategy
