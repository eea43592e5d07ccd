"""Count how one opponent acts in each situation, weighted by the cards it may have held.

A situation is what Alpha's own rules look at, coarsely: last street or not, what it faced (nothing, a check, a small
or a big raise), and its delta, own cards' value less our up cards'. Shown hole cards count fully; others are shared
out over the holes in proportion to how well they explain the hand.
"""

from bisect import bisect_left
from collections.abc import Sequence

from bots.strategies.blockhead.turn_numbers import CALL, FOLD

#: The largest raise that counts as small.
SMALL = 4

#: Upper ends of the classes of delta; one more is open.
DELTAS = (-8, -4, -1, 2, 5, 8, 12)

#: How many observations the prior is worth, in each situation.
PRIOR = 1.5


def kind(move: int) -> int:
    """Which of ``MOVES`` a move counts as: small raises are taken for 1, others for 10."""
    return 0 if move == FOLD else 1 if move == CALL else 2 if move <= SMALL else 3


def faced(prior: int | None) -> int:
    """What the opponent faced: 0 nothing, 1 a check, 2 a small raise, 3 a big one."""
    return 0 if prior is None else kind(prior)


def expected(what: int, delta_class: int) -> tuple[float, ...]:
    """Chances of MOVES before anything was seen: stronger cards raise more, weak ones fold to raises."""
    strength = delta_class / len(DELTAS)
    raises = 0.05 + 0.65 * strength
    folds = 0.6 * (1 - strength) ** 2 if what >= 2 else 0.0
    calls = max(1 - raises - folds, 0.1)
    total = raises + folds + calls
    return folds / total, calls / total, 0.3 * raises / total, 0.7 * raises / total


#: (last street, what was faced, visible difference seen from us, kind of move).
Event = tuple[bool, int, int, int]


class Habits:
    """Counts of one opponent's moves over a match."""

    def __init__(self) -> None:
        self._counts = [
            [[PRIOR * chance for chance in expected(what, deltas)] for deltas in range(len(DELTAS) + 1)]
            for _ in (False, True)
            for what in range(4)
        ]
        self._events: list[Event] = []
        self.hands = 0

    def new_hand(self) -> None:
        """A hand begins."""
        self._events = []

    def saw(self, street: int, prior: int | None, pot: int, raises: int, diff: int, move: int) -> None:
        """The opponent moved; see ``memory.Watcher``."""
        self._events.append((street == 3, faced(prior), diff, kind(move)))

    def hand_over(self, weights: Sequence[float]) -> None:
        """Count the hand's moves, with ``weights`` for the holes it may have been played with."""
        events, self._events = self._events, []
        total = sum(weights)
        if total <= 0:
            return
        self.hands += 1
        for last, what, diff, moved in events:
            for hole, weight in enumerate(weights):
                if weight:
                    self._cell(last, what, hole - diff)[moved] += weight / total

    def chances(self, last: bool, what: int, diff: int) -> list[list[float]]:
        """The chance of each of MOVES for each hole value: [kind][hole]."""
        cells = [self._cell(last, what, hole - diff) for hole in range(11)]
        totals = [sum(cell) for cell in cells]
        return [[cell[k] / total for cell, total in zip(cells, totals, strict=True)] for k in range(4)]

    def explain(self, weights: Sequence[float]) -> list[float]:
        """``weights`` of holes, each times the chance of what was done in this hand."""
        result = list(weights)
        for last, what, diff, moved in self._events:
            row = self.chances(last, what, diff)[moved]
            result = [weight * chance for weight, chance in zip(result, row, strict=True)]
        return result

    def _cell(self, last: bool, what: int, delta: int) -> list[float]:
        return self._counts[4 * last + what][bisect_left(DELTAS, delta)]
