"""The levels of one game at a table in this process: what a hand costs now, and when the next level begins."""

import time
from collections.abc import Callable

from protocol.games.base import Settlement
from protocol.games.game import Game
from protocol.games.level_table import LevelTable
from protocol.games.match import Match
from protocol.games.stakes import Stakes


class LocalLevels:
    """Raises the stakes of a match as a level table says, between two hands.

    Args:
        game: what is played.
        table: its levels; the first begins now.
        clock: returns seconds.

    Raises:
        ValueError: the table does not fit the game.

    Attributes:
        level: under way; the first is 1.
    """

    def __init__(self, game: Game, table: LevelTable, clock: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._stakes = table.stakes(game)
        self._clock = clock
        self.level = 1
        self._hands = 0
        self._begun = clock()

    @property
    def stakes(self) -> Stakes:
        """What the level under way asks for."""
        return self._stakes[self.level - 1]

    @property
    def text(self) -> str:
        """The level under way with its stakes and its length, in words."""
        hands, minutes = self._table.hands(self.level), self._table.minutes(self.level)
        length = "until the end"
        if hands is not None:
            length = f"for {hands} hand{'s' if hands > 1 else ''}"
        elif minutes is not None:
            length = f"for {minutes} minute{'s' if minutes > 1 else ''}"
        return f"Level {self.level}: {self.stakes.text}, {length}."

    def settle(self, match: Match, settlement: Settlement) -> Match:
        """The match after a hand, with the stakes of the next one; players who cannot pay those are not dealt in.

        Chips move at the smallest stakes, so that nobody is sent away for those of the hand that is over.
        """
        match = match.charge(self.stakes.smallest()).record(settlement)
        self._hands += 1
        if self._due():
            self.level += 1
            self._hands, self._begun = 0, self._clock()
        return self.charge(match)

    def charge(self, match: Match) -> Match:
        """The match with the stakes of the level under way, or what its stacks can pay of them."""
        return match.charge(self.stakes.payable([match.stacks[player] for player in match.seated]))

    def _due(self) -> bool:
        hands, minutes = self._table.hands(self.level), self._table.minutes(self.level)
        played = self._clock() - self._begun
        return self._hands == hands or (minutes is not None and played >= 60 * minutes)
