"""``maniac``: raises 10 at the first three questions of a street, with any cards, then calls."""

from typing import ClassVar

from bots.strategies.moves import QuestionCount, call, raise_by
from protocol.games.base import Action
from protocol.games.blockhead import BlockheadTurn
from protocol.games.holdem import NAME as HOLDEM
from protocol.games.stud import MAX_RAISE, StudTurn
from protocol.games.stud import NAME as STUD


class Maniac(QuestionCount):
    """Raises as much as the rules allow, three times a street, which in Blockhead is as often as they allow."""

    default_in: ClassVar = {STUD: 5, HOLDEM: 4}
    level = "easy"
    source = "a yardstick of the house: one rule"

    def decide(self, turn: StudTurn | BlockheadTurn) -> Action:
        """Raise three times, then call."""
        return raise_by(turn, MAX_RAISE) if self.ask(turn.street) <= 3 else call(turn)
