"""Check and call to the end of a hand, without being asked again."""

from bots.human.updates import Asked
from protocol.games.base import Bet

BEGUN = "You check and call to the end of this hand"
STOPPED = "You decide again."


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
