"""Learn how one opponent acts in each situation, starting from Alpha's rules.

A situation is what Alpha's rules look at: the street, what was faced (nothing, a check, a small or a big raise), the
pot and delta, which is own cards' value less our up cards'. What was seen counts for near deltas too, and a little
for the other early street. Where little was seen, the opponent is taken to act about as Alpha does.

Shown hole cards count fully; others are shared out over the holes in proportion to how well they explain the hand.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from bots.strategies.alpha import alpha_move
from bots.strategies.blockhead.best_answer import Model
from bots.strategies.blockhead.turn_numbers import CALL, FOLD, MOVES, Spot
from protocol.games.blockhead import MAX_RAISES, STREETS

#: What the opponent may face.
NOTHING, CHECK, SMALL, BIG = range(4)

#: The largest raise that is taken for 1; larger ones are taken for 10.
SMALL_RAISE = 4

#: Deltas with the shift for the pot that are told apart; lower and higher ones count as these.
LOWEST, HIGHEST = -24, 24
#: The largest shift for the pot.
MOST_SHIFT = 10

#: How much an observation counts for deltas that are 0, 1, 2 ... away.
NEAR = (1.0, 0.7, 0.4, 0.15)
#: Holes less likely than this are left out of the count.
UNLIKELY = 0.01

#: The weight of what is expected in a situation, in observations there.
PRIOR = 1.2
#: In what is expected, the weight of Alpha's rules, and of each observation on the other early street.
ALPHA_PRIOR = 2.5
OTHER_STREET = 0.3
#: Observations that are remembered in each situation, about: older ones fade, since opponents change.
MEMORY = 12.0
#: The share of moves that is taken to follow no rule.
NOISE = 0.12
#: By how much thresholds may differ from Alpha's, and how likely that is.
SPREAD = tuple((shift, (5 - abs(shift)) / 25) for shift in range(-4, 5))

#: Chances, or counts, of fold, call (or check), a small raise and a big one.
Cell = list[float]


def kind(move: int) -> int:
    """The index in ``MOVES`` of what a move is taken for."""
    return 0 if move == FOLD else 1 if move == CALL else 2 if move <= SMALL_RAISE else 3


def faced(spot: Spot) -> int:
    """NOTHING, CHECK, SMALL or BIG; the more is in the pot, the larger a raise is still small, as for Alpha."""
    prior = spot.prior
    if prior is None:
        return NOTHING
    return CHECK if prior == 0 else SMALL if prior < 1 + spot.pot // 10 * 2 else BIG


@lru_cache(maxsize=50_000)
def expected(last: bool, prior: int | None, steps: int, delta: int) -> tuple[float, ...]:
    """Chances of MOVES before anything was seen: Alpha's rules, their thresholds moved a little, and some noise.

    Args:
        last: whether no cards are left to draw.
        prior: see ``Spot``.
        steps: how many times there are ten chips in the pot.
        delta: own cards' value less the opponent's up cards'.
    """
    chances = [NOISE / 4] * 4 if prior else [0.0, NOISE / 2, NOISE / 4, NOISE / 4]
    for shift, chance in SPREAD:
        chances[kind(alpha_move(last, prior, 10 * steps, 0, delta + shift))] += (1 - NOISE) * chance
    return tuple(chances)


class Habits:
    """One opponent's moves over a match.

    Attributes:
        hands: counted so far.
        events: what the opponent faced and did in the hand under way.
    """

    def __init__(self) -> None:
        # By street, by what was faced, by delta with its shift.
        self._counts = [[[[0.0] * 4 for _ in range(LOWEST, HIGHEST + 1)] for _ in range(4)] for _ in range(STREETS)]
        # Chances found since the last count: the same spots come again and again within a hand.
        self._found: dict[tuple[int, int | None, int, int], list[list[float]]] = {}
        self.events: list[tuple[Spot, int]] = []
        self.hands = 0

    def new_hand(self) -> None:
        self.events = []

    def saw(self, spot: Spot, move: int) -> None:
        """The opponent moved; see ``action_memory.Watcher``."""
        self.events.append((spot, move))

    def hand_over(self, weights: Sequence[float]) -> None:
        """Count the hand's moves, with ``weights`` for the holes it may have been played with."""
        events, self.events = self.events, []
        self._found.clear()
        total = sum(weights)
        if total <= 0:
            return
        self.hands += 1
        for spot, move in events:
            if _may_hide_a_raise(spot, move):
                continue
            for hole, weight in enumerate(weights):
                if weight > UNLIKELY * total:
                    self._count(spot, hole, kind(move), weight / total)

    def chances(self, spot: Spot) -> list[list[float]]:
        """The chance of each of MOVES with each hole value, while raises are left: [move][hole]."""
        key = spot.street, spot.prior, spot.pot // 10, spot.diff
        if key not in self._found:
            self._found[key] = self._find(spot)
        return self._found[key]

    def _find(self, spot: Spot) -> list[list[float]]:
        what, prior, steps, last = faced(spot), spot.prior, spot.pot // 10, spot.street == STREETS
        own = self._counts[spot.street - 1][what]
        other = None if last else self._counts[2 - spot.street][what]
        first = _index(spot, 0)
        by_hole = []
        for hole in range(11):
            at = min(max(first + hole, 0), HIGHEST - LOWEST)
            alpha = expected(last, prior, steps, hole - spot.diff)
            by_hole.append(_chances(own[at], other[at] if other else NOT_SEEN, alpha))
        return [list(column) for column in zip(*by_hole, strict=True)]

    def explain(self, weights: Sequence[float]) -> list[float]:
        """``weights`` of holes, each times the chance of what was done in this hand."""
        return explained(self, self.events, weights)

    def _count(self, spot: Spot, hole: int, moved: int, weight: float) -> None:
        """Count one move for its delta, and less for near ones; what is beyond the memory fades."""
        cells, middle = self._counts[spot.street - 1][faced(spot)], _index(spot, hole)
        for away in range(1 - len(NEAR), len(NEAR)):
            cell = cells[min(max(middle + away, 0), HIGHEST - LOWEST)]
            cell[moved] += weight * NEAR[abs(away)]
            total = sum(cell)
            if total > MEMORY:
                cell[:] = [count * MEMORY / total for count in cell]


NOT_SEEN = [0.0] * len(MOVES)


def _chances(own: Cell, other: Cell, alpha: Sequence[float]) -> Cell:
    """Chances of MOVES: what was seen, and where that is little, what is expected."""
    weight, seen = ALPHA_PRIOR + OTHER_STREET * sum(other), PRIOR + sum(own)
    return [
        (mine + PRIOR * (ALPHA_PRIOR * rule + OTHER_STREET * elsewhere) / weight) / seen
        for mine, elsewhere, rule in zip(own, other, alpha, strict=True)
    ]


def _index(spot: Spot, hole: int) -> int:
    """The index of the delta with the shift for the pot, before it is limited.

    As for Alpha, ten chips in the pot make up for one point of delta, but not for who opens, or is raised on the last
    street: whether Alpha calls there does not depend on the pot.
    """
    what = faced(spot)
    unshifted = what == NOTHING or (what != CHECK and spot.street == STREETS)
    return hole - spot.diff + (0 if unshifted else min(spot.pot // 10, MOST_SHIFT)) - LOWEST


def _may_hide_a_raise(spot: Spot, move: int) -> bool:
    """Whether raises had run out, so that a call may be what is left of a raise."""
    return move == CALL and len(spot.sizes) >= MAX_RAISES


def explained(model: Model, events: Iterable[tuple[Spot, int]], weights: Sequence[float]) -> list[float]:
    """``weights`` of holes, each times the chance that a model gives to what was done in a hand."""
    result = list(weights)
    for spot, move in events:
        table = model.chances(spot)
        row = [1 - folds for folds in table[0]] if _may_hide_a_raise(spot, move) else table[kind(move)]
        result = [weight * chance for weight, chance in zip(result, row, strict=True)]
    return result
