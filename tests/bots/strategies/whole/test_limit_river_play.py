"""The river that the bot solves: a game whose answer is known, and what a best response wins from the solution."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bots.strategies.holdem.limit_board import HOLES, BoardStrategy, by_strength
from bots.strategies.holdem.limit_river import NODES, STEPS, solve
from bots.strategies.holdem.limit_table import load
from bots.strategies.holdem.limit_tree import CALL, FOLD, RAISE, Betting, Node, tree
from protocol.games.kernels.holdem import Cards, strengths
from tests.bots.strategies.test_equilibrium import BOARD, cards

Array = NDArray[np.floating]

BEFORE: Betting = ((False, 1), (True, 1), (False, 1))

START = tree()[(*BEFORE, (False, 0))]


def place(order: NDArray[np.int16], text: str) -> int:
    """Where two cards are in an order of pairs."""
    first, second = sorted(cards(text).tolist())
    return int(np.flatnonzero(order == second * (second - 1) // 2 + first)[0])


def test_river_of_the_best_or_worst_cards_against_fair_ones() -> None:
    """The pot is 2 and a bet is 2: a third of all bets are bluffs, and half of the bets are called."""
    order, ends = by_strength(cards(BOARD))
    weights = np.zeros((2, len(order)), np.float32)
    best, worst, fair = (place(order, pair) for pair in ("10S 4H", "5C 4D", "AH 3D"))
    weights[0, [best, worst]] = 1.0, 3.0
    weights[1, fair] = 1.0
    strategy = solve(weights, HOLES[order], ends, 1.0, 1000)
    assert strategy[0, RAISE, best] == pytest.approx(1.0, abs=0.01)
    assert strategy[0, RAISE, worst] == pytest.approx(0.5 / 3, abs=0.01)
    assert strategy[1, CALL, fair] == pytest.approx(0.5, abs=0.02)
    assert strategy[1, RAISE, fair] < 0.01


def compared(board: Cards, order: NDArray[np.int16]) -> tuple[Array, Array]:
    """By hole cards and hole cards: 1, 0 or -1 for who wins, and 1 where no card is shared, else 0."""
    holes = HOLES[order]
    strong = strengths(np.hstack([holes.astype(np.int8), np.tile(board, (len(holes), 1))])).astype(int)
    apart = ~(holes[:, None, :, None] == holes[None, :, None, :]).any(axis=(2, 3))
    return np.sign(strong[:, None] - strong) * apart, apart.astype(float)


def best_response(node: Node, player: int, strategy: Array, weights: Array, pairs: tuple[Array, Array]) -> Array:
    """What the best response of ``player`` (0 acts first) wins by hole cards from the other's range ``weights``."""
    margins, apart = pairs
    checked, bets = node.betting[-1]
    moves = strategy[STEPS * checked + bets]
    mine = node.first_acts == (player == 0)
    parts = np.tile(weights, (3, 1)) if mine else moves * weights
    values = [(-node.loss if mine else node.loss) * (apart @ parts[FOLD])] if node.owes else []
    after = node.after_call
    values.append(
        best_response(tree()[after], player, strategy, parts[CALL], pairs)
        if after
        else node.stake * (margins @ parts[CALL])
    )
    if node.may_raise:
        values.append(best_response(tree()[node.after_raise], player, strategy, parts[RAISE], pairs))
    return np.asarray(np.max(values, axis=0) if mine else np.sum(values, axis=0))


def test_best_responses_win_little_from_a_solved_river() -> None:
    board = cards(BOARD)
    strategy = BoardStrategy(load(), board)
    order, _ = by_strength(board)
    ranges = strategy.ranges(BEFORE)[:, order]
    nodes = [tree()[(*BEFORE, (checked, bets))] for checked in (False, True) for bets in range(STEPS)]
    played = np.array([strategy.shares(node)[:, order] for node in nodes])
    assert played.shape[:2] == (NODES, 3)
    assert played.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    pairs = compared(board, order)
    deals = ranges[0] @ pairs[1] @ ranges[1]
    won = [best_response(START, me, played, ranges[1 - me], pairs) @ ranges[me] / deals for me in (0, 1)]
    assert 0.0 < sum(won) / 2 < 0.01 * START.put
