"""``caller``: bets what is owed, whatever it holds."""

from bots.strategies.moves import call
from bots.strategy import Simple
from protocol.games.base import Action, Turn


class Caller(Simple):
    """Never folds, never raises."""

    level = "easy"
    source = "a yardstick of the house: one rule"

    def decide(self, turn: Turn) -> Action:
        """Call."""
        return call(turn)
