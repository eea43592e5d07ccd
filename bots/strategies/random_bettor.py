"""``random``: a third each folds (or checks), calls, raises by 1 to 10."""

from random import Random

from bots.strategies.moves import call, check_or_fold, raise_by
from protocol.games.base import Action, Status, Turn
from protocol.games.stud import MAX_RAISE


class RandomBettor:
    """Blind to every card; the same seed makes the same choices."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def decide(self, turn: Turn) -> Action:
        """Roll a three-sided die."""
        match self._rng.randrange(3):
            case 0:
                return check_or_fold(turn)
            case 1:
                return call(turn)
        return raise_by(turn, self._rng.randint(1, MAX_RAISE))

    def hand_over(self, status: Status) -> None:
        """Nothing to remember."""
