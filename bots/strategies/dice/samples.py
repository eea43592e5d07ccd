"""Four simple players of dice, in the spirit of the assignment's samples: "simple (and not very good)".

The fifth is ``caller``, which bets whatever happens. Each keeps what it remembers in flat arrays of integers that begin
at zero, so that the same program can be written in C++ line by line.
"""

from array import array
from random import Random
from typing import ClassVar

from bots.strategy import Level, Simple
from protocol.dice import SIDES
from protocol.games.base import FOLD, Action, Bet
from protocol.games.dice import NAME, DiceStatus, DiceTurn

#: Numbers that opponents have, at most: a tournament has up to 1000 players.
OPPONENTS = 1024


class Four(Simple):
    """Looks at its die alone."""

    games: ClassVar = (NAME,)
    default_in: ClassVar = {NAME: 4}
    level: ClassVar[Level] = "easy"
    source: ClassVar = "a sample of the house: one rule about the die"

    def decide(self, turn: DiceTurn) -> Action:
        """Bet with a four or more."""
        return Bet(turn.owed) if turn.die >= 4 else FOLD


class Price(Simple):
    """Looks at its die and at B, in the same way in both roles."""

    games: ClassVar = (NAME,)
    default_in: ClassVar = {NAME: 5}
    level: ClassVar[Level] = "medium"
    source: ClassVar = "a sample of the house: the larger B, the higher the die"

    def decide(self, turn: DiceTurn) -> Action:
        """Bet with a three or more while B is at most 6, and with one more for every 4 chips of B."""
        return Bet(turn.owed) if turn.die >= 2 + (turn.bet + 1) // 4 else FOLD


class Luck(Simple):
    """Draws by chance, but a higher die bets more often."""

    games: ClassVar = (NAME,)
    default_in: ClassVar = {NAME: 6}
    level: ClassVar[Level] = "easy"
    source: ClassVar = "a sample of the house: a second die decides"

    def decide(self, turn: DiceTurn) -> Action:
        """Bet as often as the own die is not below another one."""
        return Bet(turn.owed) if self.rng.randrange(SIDES) < turn.die else FOLD


class Memory(Simple):
    """Remembers how often each opponent has folded, and the dice that it has shown after a bet of its own."""

    games: ClassVar = (NAME,)
    default_in: ClassVar = {NAME: 7}
    level: ClassVar[Level] = "medium"
    source: ClassVar = "a sample of the house: four counts for each opponent"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._bets = array("i", bytes(4 * OPPONENTS))
        self._folds = array("i", bytes(4 * OPPONENTS))
        self._shown = array("i", bytes(4 * OPPONENTS))
        self._pips = array("i", bytes(4 * OPPONENTS))
        self._opponent = 0

    def decide(self, turn: DiceTurn) -> Action:
        """Bet with a four or more, and always if the opponent mostly folds; call with its usual die or more."""
        self._opponent = opponent = turn.opponent % OPPONENTS
        if turn.second:
            shown, pips = self._shown[opponent], self._pips[opponent]
            bets = turn.die * shown >= pips if shown else turn.die >= 4
        else:
            bets = turn.die >= 4 or 2 * self._folds[opponent] > self._bets[opponent]
            self._bets[opponent] += bets
        return Bet(turn.owed) if bets else FOLD

    def hand_over(self, status: DiceStatus) -> None:
        """Count a fold of the opponent, or a die that it has shown after its own bet."""
        if not status.second and not status.showdown:
            self._folds[self._opponent] += 1
        if status.second and status.showdown:
            self._shown[self._opponent] += 1
            self._pips[self._opponent] += status.die
