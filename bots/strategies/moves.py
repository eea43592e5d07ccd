"""Moves that many bots share, each limited to what is legal."""

from random import Random

from bots.strategy import Simple
from protocol.games.base import FOLD, Action, Bet, Status, Turn


def check_or_fold(turn: Turn) -> Action:
    """Stay only if it is free."""
    return FOLD if turn.owed else Bet(0)


def call(turn: Turn) -> Action:
    """Put in what is owed, and no more; fold if that is not allowed.

    This dealer asks no seat that cannot pay, but another dealer for this protocol may.
    """
    bet = Bet(turn.owed)
    return bet if bet in turn.legal() else FOLD


def raise_by(turn: Turn, chips: int) -> Action:
    """Put in ``chips`` more than is owed, or as near to that as the rules and the stack allow."""
    legal = turn.legal()
    if not legal.raises:
        return call(turn)
    return Bet(min(max(turn.owed + chips, legal.raises[0]), legal.raises[-1]))


class QuestionCount(Simple):
    """Counts the questions asked of one bot on the street under way."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._street = 0
        self._asked = 0

    def ask(self, street: int) -> int:
        """The number, from 1, of a question asked now on ``street``."""
        self._asked = self._asked + 1 if street == self._street else 1
        self._street = street
        return self._asked

    def hand_over(self, status: Status) -> None:
        """The next question belongs to a new hand."""
        self._street = 0
