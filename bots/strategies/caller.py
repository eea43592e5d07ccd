"""``caller``: bets what is owed, whatever it holds."""

from random import Random

from bots.strategies.moves import call
from protocol.games.base import Action, Status, Turn


class Caller:
    """Never folds, never raises."""

    def __init__(self, rng: Random) -> None:
        pass

    def decide(self, turn: Turn) -> Action:
        """Call."""
        return call(turn)

    def hand_over(self, status: Status) -> None:
        """Nothing to remember."""
