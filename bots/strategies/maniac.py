"""``maniac``: raises 10 at the first three questions of a street, whatever it holds, then calls."""

from typing import ClassVar

from bots.strategies.moves import QuestionCount, call, raise_by
from protocol.games.base import Action
from protocol.games.blockhead import BlockheadTurn
from protocol.games.stud import MAX_RAISE, StudTurn
from protocol.games.stud import NAME as STUD


class Maniac(QuestionCount):
    """As much money in the pot as the rules allow, up to three raises a street: in Blockhead, all there are."""

    default_in: ClassVar = {STUD: 5}
    level = "easy"
    source = "a yardstick of the house: one rule"

    def decide(self, turn: StudTurn | BlockheadTurn) -> Action:
        """Raise three times, then call."""
        return raise_by(turn, MAX_RAISE) if self.ask(turn.street) <= 3 else call(turn)
