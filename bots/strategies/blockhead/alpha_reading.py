"""Read Alpha's hole card from its bets, and find the best reply.

Alpha is deterministic, so each of its actions is one that only some hole values would take. ``Reading`` keeps the
values that explain everything seen in this hand. When none is left, or a showdown shows another, it was not Alpha.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from bots.strategies.alpha import alpha_move, answers
from bots.strategies.blockhead import tables
from bots.strategies.blockhead.aims import Worth
from bots.strategies.blockhead.turn_numbers import CALL, FOLD, MOVES, VALUES, Sight, Spot
from protocol.games.blockhead import MAX_RAISES, STREETS


class Reading:
    """The hole values that Alpha could hold, given what the opponent did in this hand: always neighbours."""

    def __init__(self) -> None:
        self.holes: list[int] = list(VALUES)

    def new_hand(self) -> None:
        """Nothing is known."""
        self.holes = list(VALUES)

    def saw(self, spot: Spot, move: int) -> None:
        """The opponent made ``move``."""
        last, prior, raises = spot.street == STREETS, spot.prior, len(spot.sizes)
        self.holes = [h for h in self.holes if alpha_move(last, prior, spot.pot, raises, h - spot.diff) == move]

    def showed(self, hole: int) -> None:
        """The opponent's hole card was turned up."""
        self.holes = [h for h in self.holes if h == hole]


class Continuations:
    """What the end of street 1 or 2 is worth against Alpha, in chips collected; see bots/train/reply.py."""

    def __init__(self) -> None:
        shipped: dict[str, Any] = tables.load()
        self._pots: tuple[int, ...] = shipped["pots"]
        self._streets: tuple[tuple[bytes, ...], ...] = (shipped["second"], shipped["third"])
        self._interval: dict[tuple[int, int], int] = {}
        for lo in VALUES:
            for hi in range(lo, 11):
                self._interval[lo, hi] = len(self._interval)

    def value(self, street: int, style: int, opens: bool, diff: int, hole: int, lo: int, hi: int, pot: int) -> float:
        """At the end of ``street`` with ``pot`` in the middle and Alpha holding lo..hi."""
        reach, pots = 9 * street + 9, self._pots
        table = self._streets[street - 1][style]
        start = ((opens * 10 + hole - 1) * 55 + self._interval[lo, hi]) * (2 * reach + 1) + diff + reach
        start *= len(pots)
        if pot >= pots[-1]:
            return table[start + len(pots) - 1] / 255 * (pots[-1] + 100) * pot / pots[-1]
        i = bisect_right(pots, pot) - 1
        low, high = pots[i], pots[i + 1]
        below, above = table[start + i] * (low + 100), table[start + i + 1] * (high + 100)
        return (below + (above - below) * (pot - low) / (high - low)) / 255


class Reply:
    """One turn's walk through the rest of its street, exactly, against Alpha's rules."""

    def __init__(
        self, turn: Sight, weights: Sequence[int], style: int, worth: Worth, continuations: Continuations
    ) -> None:
        self._turn, self._style, self._worth, self._ends = turn, style, worth, continuations
        self._last = turn.street == STREETS
        self._up_to = [0, *accumulate(weights[1:])]

    def values(self) -> dict[int, float]:
        """What each move is worth: FOLD, CALL (or check) and every size of raise."""
        turn = self._turn
        holes = [h for h in VALUES if self._up_to[h] > self._up_to[h - 1]]
        lo, hi = holes[0], holes[-1]
        moves = [*([FOLD] if turn.owed else []), CALL, *range(1, turn.max_raise + 1)]
        chance = self._up_to[hi] - self._up_to[lo - 1]
        return {move: self._move(lo, hi, turn.pot, 0, turn.raises, turn.prior, move) / chance for move in moves}

    def _move(self, lo: int, hi: int, pot: int, put: int, raises: int, prior: int | None, move: int) -> float:
        """Worth, times the weight of lo..hi, of our move after ``put`` chips more from us."""
        if move == FOLD:
            return (self._up_to[hi] - self._up_to[lo - 1]) * self._worth(self._turn.stack - put)
        chips = move + (prior or 0)
        pot, put = pot + chips, put + chips
        if move == CALL and prior is not None:
            return self._end(lo, hi, pot, put)
        return self._alpha(lo, hi, pot, put, raises + (move > 0), move)

    def _alpha(self, lo: int, hi: int, pot: int, put: int, raises: int, prior: int) -> float:
        """Alpha answers: high holes by the first row of its rules, the rest by the next, and so on."""
        total = 0.0
        for above, move in answers(self._last, prior, pot, raises):
            first = max(lo, above + self._turn.diff + 1)
            if first <= hi:
                total += self._answered(first, hi, pot, put, raises, prior, move)
                hi = first - 1
                if hi < lo:
                    break
        return total

    def _answered(self, lo: int, hi: int, pot: int, put: int, raises: int, prior: int, answer: int) -> float:
        if answer == FOLD:
            return (self._up_to[hi] - self._up_to[lo - 1]) * self._worth(self._turn.stack - put + pot)
        pot += answer + prior
        if answer == CALL:
            return self._end(lo, hi, pot, put)
        raises += 1
        moves = MOVES if raises < MAX_RAISES else (FOLD, CALL)
        return max(self._move(lo, hi, pot, put, raises, answer, move) for move in moves)

    def _end(self, lo: int, hi: int, pot: int, put: int) -> float:
        up_to, left = self._up_to, self._turn.stack - put
        weight = up_to[hi] - up_to[lo - 1]
        if not weight:
            return 0.0
        if not self._last:
            turn = self._turn
            value = self._ends.value(turn.street, self._style, turn.opens, self._turn.diff, turn.hole, lo, hi, pot)
            return weight * self._worth(left + value)
        mine = self._turn.diff + self._turn.hole
        below = up_to[min(max(mine - 1, lo - 1), hi)] - up_to[lo - 1]
        above = up_to[hi] - up_to[min(max(mine, lo - 1), hi)]
        worth, total = self._worth, 0.0
        if below:
            total += below * worth(left + pot)
        if above:
            total += above * worth(left)
        if weight > below + above:
            total += (weight - below - above) * worth(left + pot / 2)
        return total
