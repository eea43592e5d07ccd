"""``leduc-value``: bets kings and pairs, calls queens, gives up jacks when it is raised."""

from typing import ClassVar

from bots.strategy import Simple
from leduc.rules import LeducTurn
from protocol.cards import Rank
from protocol.games.base import FOLD, Action, Bet


class ValueBettor(Simple):
    """Plays its own cards and thinks of nothing else."""

    games: ClassVar = ("leduc",)
    default_in: ClassVar = {"leduc": 1}
    level: ClassVar = "easy"
    source: ClassVar = "an example of a bot that comes with a game"

    def decide(self, turn: LeducTurn) -> Action:
        """Raise when strong, fold when weak and asked to pay, else call."""
        legal = turn.legal()
        pair = any(card.rank == turn.hole.rank for card in turn.board)
        if (pair or turn.hole.rank is Rank.KING) and legal.raises:
            return Bet(legal.raises[0])
        if turn.owed and turn.hole.rank is Rank.JACK and not pair:
            return FOLD
        return Bet(legal.to_call)
