"""The part of a report that is about one game, found by the name of the game.

A game that adds tables, charts or sheets names them with an entry point of the group ``casino.reports``:

    [project.entry-points."casino.reports"]
    leduc = "leduc.report:REPORT"
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dealer.cli.installed import load_installed
from dealer.errors import OptionError
from dealer.lobby.player import Player
from dealer.report.journal_pass import Watcher
from dealer.report.labels import Style
from protocol.charts.chart import Chart
from protocol.games.game import Game

#: The entry point group of kinds of ``GameStatistics``.
REPORTS = "casino.reports"


#: A row of a sheet: its cells by the names of their columns, in their order; None is an empty one.
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table of the report's page.

    Attributes:
        text: its value.
        margin: half of its 95 % interval, empty where there is none.
        tone: the CSS class of a cell in the matrix.
        title: what shows when the pointer rests on the cell.
    """

    text: str
    margin: str = ""
    tone: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class PlayersTable:
    """A table of the report's page with a row for each player: the standings, or one of a game.

    Attributes:
        title: its heading.
        note: what its numbers mean.
        headings: of the columns behind place and player.
        rows: a player, and the cells of these columns.
    """

    title: str
    note: str
    headings: Sequence[str]
    rows: Sequence[tuple[Player, Sequence[Cell]]]


class GameStatistics(Watcher):
    """Collects what a report tells of one game alone while the journal is read.

    This base of all is for games of which nothing is told.

    Args:
        game: what is played.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def tables(self, order: Sequence[Player]) -> Sequence[PlayersTable]:
        """The tables of the page; ``order`` has all players, the best first."""
        return ()

    def charts(self, order: Sequence[Player], styles: Mapping[Player, Style]) -> Sequence[Chart]:
        """The charts of the page, with the players' styles."""
        return ()

    def sheets(self, order: Sequence[Player]) -> Mapping[str, Mapping[Player, Row]]:
        """The CSV files by name: the cells of each player's row behind those that say who it is."""
        return {}


def game_statistics(game: Game) -> GameStatistics:
    """What collects the part of a report that is about a game alone, without a hand.

    Raises:
        OptionError: what an installed package offers for this game cannot be loaded.
    """
    kind = load_installed(REPORTS, game.name, f"the report of {game.name}", type) or GameStatistics
    if not issubclass(kind, GameStatistics):
        raise OptionError(f"the report of {game.name} is no GameStatistics")
    return kind(game)
