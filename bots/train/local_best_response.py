"""What a local best response wins from ``equilibrium``, a lower bound of what any opponent could win.

    python -m bots.train.local_best_response --boards 200

The measure of Lisy and Bowling ("Equilibrium Approximation Quality of Current No-Limit Poker Bots", 2017), for fixed
limit between two players. The responder knows the strategy, and so how likely each pair of hole cards is after each
action. It takes the best of fold, call and raise, if both would check and call from then on; after a raise it counts
how often the strategy folds. The equity behind this is exact before the flop (for classes of hole cards), on the turn
and on the river; on the flop it is the mean of random turns and rivers.

Only boards are drawn, and of the ways to the river those that are rarely taken. On each board the responder holds every
pair of hole cards in both seats, against all pairs and all actions of the strategy with their probabilities. The
strategy is that of the bot itself, which solves the river.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bots.strategies.holdem.limit_board import HOLES, LIVE, BoardStrategy, Weights
from bots.strategies.holdem.limit_tree import FILE, RIVER, SEEN, Betting, Node, read, tree
from bots.train.limit_ranges import Rivers, mean_margin, opening_margins, rivers_after, unblocked
from protocol.games.kernels.holdem import BOARD, CARDS, PAIRS, Cards

#: Turns and rivers that the responder looks at on the flop.
FLOP_RIVERS = 100
#: Ranges with a smaller part of all hole cards than this are not followed any more.
TINY = 1e-7
#: A way to the river that is taken in a smaller part of all deals is followed by chance, in proportion.
RARE = 3e-3
#: Pairs of hole cards that the other player may have, beside two own cards and five on the board.
OTHERS = 45 * 44 // 2
START: Betting = ((False, 0),)


class Strategy(Protocol):
    """A strategy on one board."""

    def shares(self, node: Node) -> Weights:
        """How often each pair of hole cards folds, calls and raises at a decision: float64 (3, PAIRS)."""


@dataclass(frozen=True, slots=True)
class Responder:
    """The local best response on one board.

    Attributes:
        strategy: of the opponent.
        left: by street, 1 for pairs that the board leaves so far, else 0: float64 (PAIRS,).
        rivers: by street from the flop, the boards that the responder looks at.
        button: whether the responder has the button.
        rng: draws which rare ways to the river are followed.
    """

    strategy: Strategy
    left: list[Weights]
    rivers: list[Rivers]
    button: bool
    rng: np.random.Generator

    def value(self) -> float:
        """Big blinds a hand that it wins, as the mean over all hole cards that the board leaves."""
        return float(self.at(tree()[START], np.ones(PAIRS), self.left[-1] > 0).sum() / (LIVE * OTHERS))

    def at(self, node: Node, weights: Weights, mine: NDArray[np.bool_]) -> Weights:
        """What the pairs ``mine`` win from the range ``weights`` from a decision on, summed over the range."""
        button_acts = node.first_acts == (node.street == 0)
        return (self._respond if button_acts == self.button else self._opposed)(node, weights, mine)

    def _opposed(self, node: Node, weights: Weights, mine: NDArray[np.bool_]) -> Weights:
        """All actions of the strategy."""
        folding, calling, raising = self.strategy.shares(node) * weights
        value = node.loss * unblocked(folding * self.left[-1]) * mine
        if calling.sum() > TINY * PAIRS:
            value += self._called(node, calling, mine)
        if raising.sum() > TINY * PAIRS:
            value += self.at(tree()[node.after_raise], raising, mine)
        return value

    def _respond(self, node: Node, weights: Weights, mine: NDArray[np.bool_]) -> Weights:
        """The action that is best if both check and call from then on."""
        gains = self.gains(node, weights)
        best = gains.argmax(axis=0)
        value = -node.loss * unblocked(weights * self.left[-1]) * (mine & (best == 0))
        if (calls := mine & (best == 1)).any():
            value += self._called(node, weights, calls)
        if (raises := mine & (best == 2)).any():
            value += self.at(tree()[node.after_raise], weights, raises)
        return value

    def gains(self, node: Node, weights: Weights) -> Weights:
        """What each pair expects of fold, call and raise, times the weight of the range: float64 (3, PAIRS)."""
        gains = np.full((3, PAIRS), -math.inf)
        gains[1] = node.stake * self._margin(node.street, weights)
        if node.owes:
            gains[0] = -node.loss * unblocked(weights)
        if node.may_raise:
            answer = tree()[node.after_raise]
            folding = self.strategy.shares(answer)[0] * weights
            gains[2] = answer.loss * unblocked(folding) + answer.stake * self._margin(node.street, weights - folding)
        return gains

    def _margin(self, street: int, weights: Weights) -> Weights:
        """By pair: the weight of the range that it beats less the weight that beats it, with cards to come."""
        if street == 0:
            return np.asarray(opening_margins() @ weights)
        return mean_margin(self.rivers[street - 1], weights)

    def _called(self, node: Node, weights: Weights, mine: NDArray[np.bool_]) -> Weights:
        """After a check or call: the showdown, or the next decision, perhaps with a new card."""
        if node.after_call is None:
            return node.stake * mean_margin(self.rivers[-1], weights) * mine
        after = tree()[node.after_call]
        if after.street > node.street:
            weights = weights * self.left[after.street]
        if after.street > max(node.street, RIVER - 1):
            return self._river(after, weights, mine)
        return self.at(after, weights, mine)

    def _river(self, node: Node, weights: Weights, mine: NDArray[np.bool_]) -> Weights:
        """From the first decision on the river on; a rare one is left out by chance, and else counts for more."""
        part = float((unblocked(weights) * mine * self.left[RIVER]).sum()) / (LIVE * OTHERS)
        chance = min(part / RARE, 1.0)
        return self.at(node, weights, mine) / chance if self.rng.random() < chance else np.zeros(PAIRS)


def off(board: Cards) -> Weights:
    """By pair: 1 if the board has neither of its cards, else 0."""
    return np.asarray(~np.isin(HOLES, board).any(axis=1), np.float64)


def deal(rng: np.random.Generator) -> tuple[Cards, list[Rivers]]:
    """A random board, and how it may be completed from flop, turn and river."""
    board = rng.choice(CARDS, BOARD, replace=False).astype(np.int8)
    return board, [rivers_after(board[:seen], FLOP_RIVERS, rng) for seen in SEEN[1:]]


def winnings(strategy: Strategy, board: Cards, rivers: list[Rivers], rng: np.random.Generator) -> float:
    """Big blinds a hand that the local best response wins on a board, as the mean of both seats."""
    left = [off(board[:seen]) for seen in SEEN]
    values = [Responder(strategy, left, rivers, button, rng).value() for button in (True, False)]
    return sum(values) / 2


def measure(table: dict[str, Any], boards: int, seed: int) -> Iterator[tuple[float, float]]:
    """After each board: the mean so far, in big blinds a hand, and the half of its 95 % interval."""
    rng, rare = np.random.default_rng(seed), np.random.default_rng((seed, 1))
    won: list[float] = []
    for _ in range(boards):
        board, rivers = deal(rng)
        won.append(winnings(BoardStrategy(table, board), board, rivers, rare))
        half = 1.96 * float(np.std(won, ddof=1)) / math.sqrt(len(won)) if len(won) > 1 else math.inf
        yield sum(won) / len(won), half


def main() -> None:
    """Print what the local best response wins from tables."""
    parser = argparse.ArgumentParser(description=main.__doc__, prog="python -m bots.train.local_best_response")
    parser.add_argument("tables", nargs="*", type=Path, default=[FILE], help="files of tables; the shipped one if none")
    parser.add_argument("--boards", type=int, default=200, help="boards to deal")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for path in options.tables:
        for number, (mean, half) in enumerate(measure(read(path), options.boards, options.seed), 1):
            if number % 20 == 0:
                print(f"{number} boards: {mean:.3f} ± {half:.3f}", file=sys.stderr, flush=True)
        print(f"{path.name}: {mean:.3f} ± {half:.3f} big blinds a hand, {options.boards} boards", flush=True)


if __name__ == "__main__":
    main()
