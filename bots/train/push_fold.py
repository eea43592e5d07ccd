"""Solve push or fold before the flop between two players exactly: ``python -m bots.train.push_fold``. A few seconds.

The small blind goes all in or folds, then the big blind calls or folds. The equilibrium is a linear program (Koller,
Megiddo and von Stengel, Games and Economic Behavior 14, 1996). Each pair of classes of hole cards counts as often as
both can be dealt at once, so cards that one player holds are missing for the other. Chips are in big blinds.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, eye_array, hstack, vstack

from bots.strategies.holdem.preflop import CLASSES, equities, pairings
from bots.strategies.holdem.push_fold import DEPTHS, PARTS, PATH, push_or_fold

SMALL_BLIND, BIG_BLIND = 0.5, 1.0


class Deals(NamedTuple):
    """All deals: how likely each pair of classes is, and the equity of the first; both ``[small blind, big blind]``."""

    chances: Any
    equities: Any

    def won(self, depth: float) -> Any:
        """Chips that the small blind wins on average when it is all in and called, with ``depth`` big blinds each."""
        return self.chances * depth * (2 * self.equities - 1)


class Gains(NamedTuple):
    """What the small blind wins a hand: at most against these calls, and at least with these pushes."""

    at_most: float
    at_least: float

    @property
    def exploitability(self) -> float:
        """Big blinds a hand that a best response wins more than it should, as the mean of both seats."""
        return (self.at_most - self.at_least) / 2


def all_deals() -> Deals:
    """The deals of two players."""
    weights = np.array(pairings(), dtype=float)
    return Deals(weights / weights.sum(), np.array(equities()))


def solve(deals: Deals, depth: float) -> tuple[Any, Any]:
    """How often each class pushes, and how often each calls, in equilibrium with ``depth`` big blinds each."""
    pushes = _best_pushes(deals.chances, deals.won(depth))
    return pushes, _best_calls(deals.chances, deals.won(depth))


def _best_pushes(chances: Any, won: Any) -> Any:
    """The pushes that win most against the best calls.

    Variables are how often each class pushes, and what is won at most from each class of the big blind, which takes
    the smaller of what it loses by a fold and by a call.
    """
    least = eye_array(CLASSES)
    bounds = vstack([hstack([coo_array(-BIG_BLIND * chances.T), least]), hstack([coo_array(-won.T), least])])
    gain = np.concatenate([SMALL_BLIND * chances.sum(axis=1), np.ones(CLASSES)])
    return _maximum(gain, bounds, np.zeros(2 * CLASSES))


def _best_calls(chances: Any, won: Any) -> Any:
    """The calls that lose least against the best pushes; the variables as above, for the other seat."""
    least = eye_array(CLASSES)
    costs = coo_array(won - BIG_BLIND * chances)
    none = coo_array((CLASSES, CLASSES))
    bounds = vstack([hstack([costs, least]), hstack([none, least])])
    limits = np.concatenate([-BIG_BLIND * chances.sum(axis=1), SMALL_BLIND * chances.sum(axis=1)])
    return _maximum(np.concatenate([np.zeros(CLASSES), np.ones(CLASSES)]), bounds, limits)


def _maximum(gain: Any, bounds: Any, limits: Any) -> Any:
    """The frequencies of a linear program: its first variables."""
    ranges = [(0, 1)] * CLASSES + [(None, None)] * CLASSES
    return np.clip(linprog(-gain, bounds, limits, bounds=ranges).x[:CLASSES], 0, 1)


def gains(deals: Deals, depth: float, pushes: Any, calls: Any) -> Gains:
    """What best responses to these frequencies of each class win, exactly."""
    chances, won = deals
    won = deals.won(depth)
    blind = SMALL_BLIND * chances.sum(axis=1)
    pushed = (BIG_BLIND * chances * (1 - calls) + won * calls).sum(axis=1)
    at_most = np.maximum(pushed, -blind).sum()
    folded, called = BIG_BLIND * (pushes @ chances), pushes @ won
    at_least = np.minimum(folded, called).sum() - ((1 - pushes) * blind).sum()
    return Gains(float(at_most), float(at_least))


def shipped(depth: float) -> tuple[Any, Any]:
    """How often each class pushes and calls in the table that is shipped."""
    both = np.array([push_or_fold(index, depth) for index in range(CLASSES)])
    return both[:, 0], both[:, 1]


def main() -> None:
    """Solve all depths, write the table, and print what it is worth."""
    deals = all_deals()
    solved = [solve(deals, depth) for depth in DEPTHS]
    PATH.write_bytes(np.rint(np.array(solved) * PARTS).astype(np.uint8).tobytes())
    print("big blinds  value for the small blind  exploitability")
    for depth in DEPTHS:
        found = gains(deals, depth, *shipped(depth))
        print(f"{depth:10} {(found.at_most + found.at_least) / 2:26.4f} {found.exploitability:15.6f}")


if __name__ == "__main__":
    main()
