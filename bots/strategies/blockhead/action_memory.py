"""Reconstruct the opponent's actions from the turns that a bot is asked."""

from collections.abc import Sequence
from typing import Protocol

from bots.strategies.blockhead.turn_numbers import FOLD, NOTHING_BEFORE, Before, Sight, Spot, known_size, standing_of
from protocol.games.base import Status
from protocol.games.blockhead import BUY_IN, card_value


class Watcher(Protocol):
    """What wants to know what the opponent does."""

    def new_hand(self) -> None:
        """A hand begins."""

    def saw(self, spot: Spot, move: int) -> None:
        """The opponent faced ``spot``, and made ``move``: FOLD, CALL (or check) or the size of its raise."""


class Memory:
    """What the opponent did since our last move, put together from two turns in a row.

    A turn shows only its own street's bets: that the opponent called our last bet of a street shows in there being
    another street, and that it folded in the hand being over.

    Attributes:
        before: what happened in the hand before the present street.
    """

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers
        self.before = NOTHING_BEFORE
        self._asked: tuple[Sight, int] | None = None

    @property
    def in_hand(self) -> bool:
        """Whether we have moved in the hand under way."""
        return self._asked is not None

    def turn(self, turn: Sight) -> None:
        """A turn came: read what the opponent did before it."""
        if self._asked is None:
            for watcher in self._watchers:
                watcher.new_hand()
            self.before = Before(carry=turn.pot - sum(turn.put_in) - 2 * BUY_IN)
        elif self._asked[0].street != turn.street:
            self._close_street(*self._asked)
        if turn.put_in:
            *before, chips = turn.put_in
            self._opponent_moved(turn, before, turn.pot - chips, chips)

    def moved(self, turn: Sight, move: int) -> None:
        """We answered ``turn`` with ``move``."""
        self._asked = turn, move

    def over(self, status: Status) -> int | None:
        """The hand is over: read what the opponent did last; returns its hole card's value if it was shown."""
        if self._asked is None:
            return None
        turn, move = self._asked
        self._asked = None
        if status.shown:
            self._close_street(turn, move)
            holes = [card_value(hole) for _, (hole, *_) in status.shown]
            holes.remove(turn.hole)
            return holes[0]
        if move != FOLD:
            self._answer(turn, move, folds=True)
        return None

    def _close_street(self, turn: Sight, move: int) -> None:
        if move or not turn.put_in:
            self._answer(turn, move, folds=False)
        raiser = (1 if turn.opens else 2) if move else (2 if turn.opens else 1) if turn.owed else 0
        chips = sum(map(known_size, [*turn.sizes, move] if move else turn.sizes))
        standing = standing_of(turn.diff if turn.opens else -turn.diff)
        self.before = Before(raiser, self.before.chips + chips, self.before.carry, standing)

    def _answer(self, turn: Sight, move: int, folds: bool) -> None:
        """The opponent answered our ``move``: folded, or called (which a raise would not have been)."""
        chips = turn.owed + move
        before = [*turn.put_in, chips]
        self._opponent_moved(turn, before, turn.pot + chips, None if folds else move)

    def _opponent_moved(self, turn: Sight, before: Sequence[int], pot: int, chips: int | None) -> None:
        """It put in ``chips`` (None: folded) after ``before`` were put in, with ``pot`` in the middle."""
        spot = Spot(turn.street, pot, tuple(before), turn.diff, self.before)
        for watcher in self._watchers:
            watcher.saw(spot, FOLD if chips is None else chips - (spot.prior or 0))
