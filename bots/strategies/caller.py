"""``caller``: calls every bet, with any cards."""

from typing import ClassVar

from bots.strategies.moves import call
from bots.strategy import Simple
from protocol.games.base import Action, Turn
from protocol.games.dice import NAME as DICE
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.stud import NAME as STUD


class Caller(Simple):
    """Never folds, never raises."""

    default_in: ClassVar = {STUD: 3, HOLDEM: 3, DICE: 3}
    level = "easy"
    source = "a yardstick of the house: one rule"

    def decide(self, turn: Turn) -> Action:
        return call(turn)
