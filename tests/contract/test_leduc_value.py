"""The known value of Leduc hold'em, reached with a solver that knows nothing but the contract.

The solver is tabular, for small games of two: CFR+ over the public tree, walked through the real rules. Counterfactual
regret minimisation with the improvements of Tammelin (2014): regrets below zero are forgotten, and strategies are
averaged with weights that grow by one an iteration. All deals walk the tree together, as the rows of arrays, since what
is public is the same for all of them.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from protocol.cards import Card
from protocol.games.base import Action, Hand
from protocol.games.registry import load_game

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Node:
    """A place in the public tree.

    Attributes:
        seat: to act; -1 where the hand is over.
        payoffs: chips seat 0 wins, by deal, where the hand is over.
        information: by deal, which of the information sets of this place it is in.
        regrets, averages: by information set and action.
        children: by action.
    """

    seat: int
    payoffs: Floats
    information: NDArray[np.int64]
    regrets: Floats
    averages: Floats
    children: list["Node"]

    def strategy(self, table: Floats) -> Floats:
        """The chance of each action, by deal, in proportion to a table; all alike where it is empty."""
        total = table.sum(axis=1, keepdims=True)
        chances = np.divide(table, total, out=np.full_like(table, 1 / table.shape[1]), where=total > 0)
        rows: Floats = chances[self.information]
        return rows


def build(hands: Sequence[Hand], knows: Callable[[Hand, int], Hashable]) -> Node:
    """The public tree below ``hands``, one a deal, which differ in their cards alone.

    Args:
        hands: at the same place of the tree.
        knows: what a seat can tell deals apart by.
    """
    seat = hands[0].to_act
    empty = np.zeros((0, 0))
    if seat is None:
        payoffs = np.array([hand.settle().payoffs[0] for hand in hands], float)
        return Node(-1, payoffs, np.zeros(0, int), empty, empty, [])
    actions: list[Action] = list(hands[0].legal())
    assert all(list(hand.legal()) == actions and hand.to_act == seat for hand in hands)
    known = [knows(hand, seat) for hand in hands]
    order = {key: place for place, key in enumerate(dict.fromkeys(known))}
    information = np.array([order[key] for key in known])
    children = [build([hand.apply(action) for hand in hands], knows) for action in actions]
    regrets, averages = np.zeros((2, len(order), len(actions)))
    return Node(seat, np.zeros(0), information, regrets, averages, children)


def value(root: Node, weights: Floats, iterations: int) -> float:
    """Chips that seat 0 wins on average when both play the average strategies of so many iterations.

    Args:
        root: of the public tree.
        weights: the chance of each deal.
        iterations: of CFR+.
    """
    for iteration in range(1, iterations + 1):
        for seat in (0, 1):
            _improve(root, seat, np.ones((2, len(weights))), weights, iteration)
    return float(weights @ _evaluate(root))


def _improve(node: Node, seat: int, reach: Floats, weights: Floats, iteration: int) -> Floats:
    """What ``seat`` wins below a node, by deal, after its regrets there have been brought up to date."""
    if node.seat < 0:
        return node.payoffs if seat == 0 else -node.payoffs
    chances = node.strategy(node.regrets)
    below = []
    for action, child in enumerate(node.children):
        onward = reach.copy()
        onward[node.seat] *= chances[:, action]
        below.append(_improve(child, seat, onward, weights, iteration))
    worth: Floats = np.sum(chances * np.array(below).T, axis=1)
    if node.seat == seat:
        counterfactual = weights * reach[1 - seat]
        for action, gained in enumerate(below):
            np.add.at(node.regrets[:, action], node.information, counterfactual * (gained - worth))
            added = np.zeros(len(node.averages))
            # Every deal of an information set has the same own reach: the largest is that of any of them.
            np.maximum.at(added, node.information, reach[seat] * chances[:, action])
            node.averages[:, action] += iteration * added
        np.maximum(node.regrets, 0, out=node.regrets)
    return worth


def _evaluate(node: Node) -> Floats:
    """What seat 0 wins below a node, by deal, with the average strategies."""
    if node.seat < 0:
        return node.payoffs
    chances = node.strategy(node.averages)
    total: Floats = np.sum(chances * np.array([_evaluate(child) for child in node.children]).T, axis=1)
    return total


#: Chips a hand for the player who acts first, when both play an equilibrium.
KNOWN_VALUE = -0.0856


def knows(hand: Any, seat: int) -> tuple[int, ...]:
    """The ranks of the hole card and the board, since suits never count."""
    return tuple(card.rank for card in (*hand.hole(seat), *hand.public().board))


@pytest.mark.usefixtures("_leduc_on_path")
def test_the_value_of_leduc() -> None:
    game = load_game("leduc")()
    deals: dict[tuple[int, ...], tuple[float, tuple[Card, ...]]] = {}
    deck = game.chance.outcome(bytes(range(6)))
    for cards in permutations(deck, 3):
        ranks = tuple(card.rank for card in cards)
        weight, _ = deals.get(ranks, (0.0, cards))
        deals[ranks] = weight + 1 / 120, cards
    match = game.start(2)
    hands = [match.deal((*cards, *(card for card in deck if card not in cards))) for _, cards in deals.values()]
    assert hands[0].to_act == 0  # so the value is that of the player who acts first
    assert match.record(hands[0].settle()).deal(deck).to_act == 1, "the other seat begins the next hand"
    weights = np.array([weight for weight, _ in deals.values()])
    assert value(build(hands, knows), weights, 400) == pytest.approx(KNOWN_VALUE, abs=0.001)
