"""What a learner is told in dice."""

from bots.environments.encoding import Entry, Floats, fold_and_call
from protocol.dice import SIDES
from protocol.games.base import Action
from protocol.games.dice import BET_SIZES, DiceTurn
from protocol.games.game import MOST


class DiceEncoding:
    """B, who is first, and the own die; there are no raises."""

    actions = ("fold", "bet or call")

    def __init__(self, players: int) -> None:
        self.layout: tuple[Entry, ...] = (
            Entry("bet", 1, BET_SIZES[0], BET_SIZES[-1], "B: chips that a player has in the pot after a bet"),
            Entry("second", 1, 0, 1, "1 for the player with the big blind, who acts after a bet"),
            Entry("opponent", 1, 0, MOST, "the number of the opponent in the tournament"),
            Entry("die", SIDES, 0, 1, "1 for the number that the own die shows, from 1 to 6"),
        )

    def write(self, turn: DiceTurn, seat: int, numbers: Floats) -> None:
        """The view says all, without the number of the seat."""
        numbers[:3] = (turn.bet, turn.second, turn.opponent)
        numbers[2 + turn.die] = 1

    def choices(self, turn: DiceTurn) -> list[Action | None]:
        return fold_and_call(turn.legal())
