"""The part of a report that is about one game, found by the name of the game.

A game that adds tables, charts or sheets names them with an entry point of the group ``casino.reports``:

    [project.entry-points."casino.reports"]
    leduc = "leduc.report:REPORT"
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from dealer.audit.hands import ReplayedHand
from dealer.cli.installed import load_installed
from dealer.journal.records import Record
from dealer.lobby.player import Player
from dealer.report.journal_pass import Watcher
from dealer.report.labels import Style
from protocol.charts.chart import Chart
from protocol.games.game import Game

#: The entry point group of objects of ``GameReport``.
REPORTS = "casino.reports"


@dataclass(frozen=True, slots=True)
class GameTable:
    """A table of the report's page.

    Attributes:
        title: its heading.
        note: what its numbers mean.
        headings: of the columns behind that of the player.
        rows: a player, and the text of each of these columns.
    """

    title: str
    note: str
    headings: Sequence[str]
    rows: Sequence[tuple[Player, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class GameSheet:
    """A CSV file with a row for each player.

    Attributes:
        name: of the file.
        header: of the columns behind those that say who the player is.
        rows: a player, and the cells of these columns; None is an empty one.
    """

    name: str
    header: Sequence[str]
    rows: Sequence[tuple[Player, Sequence[object]]]


class GameStatistics(Protocol):
    """Collects what a report tells of one game while the journal is read."""

    def add(self, hand: ReplayedHand, game: Game) -> None:
        """Count a finished hand."""

    def tables(self, order: Sequence[Player]) -> Sequence[GameTable]:
        """The tables of the page; ``order`` has all players, the best first."""

    def charts(self, order: Sequence[Player], styles: Mapping[Player, Style]) -> Sequence[Chart]:
        """The charts of the page, with the players' styles."""

    def sheets(self, order: Sequence[Player]) -> Sequence[GameSheet]:
        """The CSV files."""


@dataclass(frozen=True, slots=True)
class GameReport:
    """The part of a report that is about one game.

    Attributes:
        begin: statistics without a hand.
    """

    begin: Callable[[], GameStatistics]


class GameCollector(Watcher):
    """Gives every hand to the statistics of its game, if the game has any.

    Attributes:
        statistics: None for a game that adds nothing to the report.

    Raises:
        OptionError: what an installed package offers for this game cannot be loaded.
    """

    def __init__(self, game: Game) -> None:
        report = load_installed(REPORTS, game.name, f"the report of {game.name}", GameReport)
        self.statistics = report.begin() if report is not None else None
        self._game = game

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        if hand is not None and self.statistics is not None:
            self.statistics.add(hand, self._game)
