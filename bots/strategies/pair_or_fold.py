"""``pair-or-fold``: the assignment's "simple strategy": bet big with a pair, else check or fold."""

from typing import ClassVar

from bots.strategies.moves import QuestionCount, call, check_or_fold, raise_by
from protocol.games.base import Action
from protocol.games.stud import MAX_RAISE, NAME, StudTurn


def has_pair(turn: StudTurn) -> bool:
    """Whether the seat's own cards hold a pair or better."""
    ranks = [card.rank for card in (turn.hole, *turn.up)]
    return len(set(ranks)) < len(ranks)


class PairOrFold(QuestionCount):
    """A pair or better: raises 10 at the first question of a street, then calls. Else checks or folds."""

    games = (NAME,)
    default_in: ClassVar = {NAME: 4}
    level = "medium"
    source = "the assignment's own 'simple strategy'"

    def decide(self, turn: StudTurn) -> Action:
        """Look at the own cards only."""
        asked = self.ask(turn.street)
        if not has_pair(turn):
            return check_or_fold(turn)
        return raise_by(turn, MAX_RAISE) if asked == 1 else call(turn)
