"""What keys and buttons stand for: raises by a share of the pot, and to check and call to the end of a hand."""

from typing import Any

from bots.human.updates import Asked
from protocol.games.base import Bet

BEGUN = "You check and call to the end of this hand"
STOPPED = "You decide again."


def nearest_place(amounts: range, amount: float) -> int:
    """The index in ``amounts``, which is not empty, of the one that is nearest to ``amount``."""
    place = round((amount - amounts[0]) / amounts.step)
    return min(max(place, 0), len(amounts) - 1)


def pot_raise(turn: Any, share: float) -> float:
    """Chips to put in for a raise by a ``share`` of the pot as it is after a call."""
    raised: float = turn.owed + share * (turn.pot + turn.owed)
    return raised


def raise_words(amount: int, owed: int, put: int | None) -> str:
    """A bet or a raise as a button calls it: ``Raise to 85``.

    Args:
        amount: chips to put in now.
        owed: chips owed.
        put: see ``Asked``.
    """
    if put is not None:
        return f"Raise to {put + amount}"
    return f"Raise by {amount - owed}" if owed else f"Bet {amount}"


class CallsToTheEnd:
    """Whether the person has asked for that in the hand under way."""

    def __init__(self) -> None:
        self.on = False

    def switch(self, how_to_stop: str) -> str:
        """Begin it, or stop it; returns what the person is told.

        Args:
            how_to_stop: what the person has to press, in words: "F7 stops that".
        """
        self.on = not self.on
        return f"{BEGUN}; {how_to_stop}." if self.on else STOPPED

    def stop(self) -> None:
        """Let the person decide again, as in the next hand."""
        self.on = False

    def answer(self, asked: Asked) -> Bet | None:
        """The answer to a question; None if the person is to decide."""
        legal = asked.turn.legal()
        return Bet(legal.to_call) if self.on and legal.call else None
