"""``random``: folds (or checks), calls, or raises by 1 to 10, each with a chance of one third."""

from typing import ClassVar

from bots.strategies.moves import call, check_or_fold, raise_by
from bots.strategy import Simple
from protocol.games.base import Action, Turn
from protocol.games.dice import NAME as DICE
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.stud import MAX_RAISE
from protocol.games.stud import NAME as STUD


class RandomBettor(Simple):
    """Looks at no card; the same seed makes the same choices."""

    default_in: ClassVar = {STUD: 6, HOLDEM: 6, DICE: 8}
    level = "easy"
    source = "a yardstick of the house: a die with three sides"

    def decide(self, turn: Turn) -> Action:
        """Roll a three-sided die."""
        match self.rng.randrange(3):
            case 0:
                return check_or_fold(turn)
            case 1:
                return call(turn)
        return raise_by(turn, self.rng.randint(1, MAX_RAISE))
