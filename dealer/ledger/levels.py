"""Levels: what a hand costs at each, which level is under way, and who cannot pay."""

from dealer.ledger.played_hand import PlayedHand
from dealer.ledger.table_state import TableState
from dealer.settings import Settings
from protocol.games.level_table import LevelTable
from protocol.games.match import Match
from protocol.games.stakes import Stakes


class Levels:
    """The levels of one tournament; with settings that have none, antes stay as they are.

    Raises:
        ValueError: the settings have levels, but nothing can rise in the game, or a level table does not fit it.

    Attributes:
        level: at which the next hand is dealt, the same for all tables; the first is 1.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        levels = settings.levels
        if levels is not None and settings.game.stakes is None:
            raise ValueError(f"levels: in {settings.game.name} nothing can rise")
        #: What each level asks for, where a table says so.
        self._stakes = levels.stakes(settings.game) if isinstance(levels, LevelTable) else []
        self.level = 1

    def restart(self) -> None:
        """Begin again at the first level, as every round does."""
        self.level = 1

    def stakes(self, level: int) -> Stakes:
        """The stakes of a level, where there are levels; a table whose stacks cannot pay them asks for less."""
        if self._stakes:
            return self._stakes[level - 1]
        stakes = self._settings.game.stakes
        assert stakes is not None, "a game whose stakes cannot rise has no levels"
        return stakes.at_level(level)

    @property
    def facts(self) -> dict[str, int]:
        """The stakes of every hand now, in chips by name; empty for a game whose stakes cannot rise."""
        if self._settings.levels is not None:
            return self.stakes(self.level).facts
        return {} if self._settings.game.stakes is None else self._settings.game.stakes.facts

    def due(self, table: TableState) -> bool:
        """True if a table has played so many hands at the level under way that the next one begins, everywhere."""
        levels = self._settings.levels
        hands = levels.hands(self.level) if isinstance(levels, LevelTable) else levels
        return hands is not None and table.level == self.level and table.at_level >= hands

    @property
    def minutes(self) -> int | None:
        """Minutes of play after which the level under way is over; None where minutes do not count."""
        levels = self._settings.levels
        return levels.minutes(self.level) if isinstance(levels, LevelTable) else None

    def begin_next(self) -> None:
        """Raise the antes; hands under way are played as they were dealt.

        Raises:
            ValueError: this tournament has no levels, or no further one.
        """
        self.check()
        self.level += 1

    def check(self) -> None:
        """Make sure that antes can rise.

        Raises:
            ValueError: this tournament has no levels, or no further one.
        """
        if self._settings.levels is None:
            raise ValueError("this tournament has no levels; start one with --levels or --level-table")
        if self._stakes and self.level == len(self._stakes):
            raise ValueError(f"level {self.level} is the last of the level table, and stays until the end")

    def fee(self, table: TableState) -> str:
        """The price of the next hand at a table, in words."""
        if self._settings.levels is None:
            return self._settings.game.fee
        return self.stakes(self.level).payable(_stacks(table)).text

    def charge(self, table: TableState, level: int) -> None:
        """Set what a table pays before a hand at a level; players who cannot pay it are not dealt in."""
        if level != table.level:
            table.level, table.at_level = level, 0
        table.match = self.charged(table, level)

    def charged(self, table: TableState, level: int) -> Match:
        if self._settings.levels is None:
            return table.match
        return table.match.charge(self.stakes(level).payable(_stacks(table)))

    def settle(self, table: TableState, hand: PlayedHand) -> None:
        """Move the chips of a finished hand.

        Where antes rise, what the next hand costs depends on the new stacks, so nobody is sent away for the old price:
        chips move at the smallest stakes, then the table is charged anew.
        """
        if self._settings.levels is None:
            table.match = table.match.record(hand.settlement)
            return
        table.match = table.match.charge(self.stakes(table.level).smallest()).record(hand.settlement)
        table.match = self.charged(table, table.level)


def _stacks(table: TableState) -> list[int]:
    return [table.match.stacks[index] for index in table.match.seated]
