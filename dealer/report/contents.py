"""The contents of a report: all values read from a journal, from which its pages and sheets are made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dealer.audit.rebuild import LedgerRebuild
from dealer.faults import FaultKind
from dealer.ledger.columns import COLUMNS, Column, milliseconds
from dealer.ledger.ledger import Ledger
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from dealer.report.course import CourseWatcher
from dealer.report.game_report import GameStatistics
from dealer.report.head_to_head import HeadToHead
from dealer.report.journal_pass import Survey
from dealer.report.labels import Label, Style, styles
from dealer.report.player_statistics import PlayerStatistics
from protocol.plurals import counted


@dataclass(frozen=True)
class Contents:
    """The values that a report is made from.

    Attributes:
        rebuild: the tournament, rebuilt to the last whole record.
        survey: how much of the journal is whole.
        labels: the name of each player in the report.
        statistics: replies, faults and pots of each player.
        course: chips and places, hand by hand, leads, falls and largest pots.
        pairs: what players won from each other.
        game: what the report tells of this game alone.
    """

    rebuild: LedgerRebuild
    survey: Survey
    labels: Mapping[Player, Label]
    statistics: Mapping[Player, PlayerStatistics]
    course: CourseWatcher
    pairs: HeadToHead
    game: GameStatistics

    @property
    def ledger(self) -> Ledger:
        """The ledger at the last whole record."""
        return self.rebuild.ledger

    def player(self, number: int) -> Player:
        """The player that events call by this number."""
        return self.ledger.players[number]

    @cached_property
    def standings(self) -> list[Standing]:
        """The standings, followed by the players who left before the last round began; those share a place."""
        ranked, seating = self.ledger.standings(), self.ledger.seating
        there = {standing.player for standing in ranked}
        gone = [player for player in self.ledger.players if player not in there]
        return ranked + [
            Standing(len(ranked) + 1, seating.table_of(player).stacks()[player], player) for player in gone
        ]

    @cached_property
    def places(self) -> Mapping[Player, int]:
        """The place of each player in the standings."""
        return {standing.player: standing.place for standing in self.standings}

    @cached_property
    def reply_times(self) -> Mapping[Player, Sequence[float | None]]:
        """Milliseconds in which half of each player's replies came, 99 % of them, and all."""
        return {player: own.milliseconds(0.5, 0.99, 1.0) for player, own in self.statistics.items()}

    @cached_property
    def columns(self) -> Sequence[Column]:
        """The columns of standings; for the report's sheets, reply times are in milliseconds.

        The journal has every reply time, and a column of the ledger only the counts by which a dealer remembers them.
        """

        def left(standing: Standing) -> str | None:
            player = standing.player
            return None if player.left is None else self.labels[player].to_host(player.left, player.id)

        better: Mapping[str, Callable[[Standing], Any]] = {
            "reply_p50": lambda standing: self.reply_times[standing.player][0],
            "reply_p99": lambda standing: self.reply_times[standing.player][1],
            "left": left,
        }
        return [
            replace(column, value=better[column.key], page=lambda time: milliseconds(time / 1000))
            if column.key in better
            else column
            for column in COLUMNS
        ]

    @property
    def order(self) -> list[Player]:
        """All players, the best first. Figures that have no room for all show the first of these."""
        return [standing.player for standing in self.standings]

    @cached_property
    def styles(self) -> Mapping[Player, Style]:
        """The colour and name of each player in charts."""
        return styles(self.labels, self.order)

    @property
    def hands(self) -> int:
        """The number of finished hands, at all tables together."""
        return self.ledger.seating.finished

    @property
    def title(self) -> str:
        """The game, the number of players and the number of hands, in a line."""
        game = self.ledger.settings.game.title
        return f"{game[0].upper()}{game[1:]}: {len(self.labels)} players, {counted(self.hands, 'hand')}"


def was_removed(player: Player) -> bool:
    """True if the host removed a player, which is no fault of its program."""
    return player.left_for is not None and player.left_for.kind is FaultKind.REMOVED


def went_broke(player: Player) -> bool:
    """True if a player left only because it had no chips left."""
    return player.left is not None and player.left_for is None


def at_table(ledger: Ledger, table: int) -> str:
    """The words " at table 3", or nothing where there is only one table."""
    return f" at table {table}" if len(ledger.seating.tables) > 1 else ""


def departure_text(ledger: Ledger, player: Player) -> str:
    """Words for the hand and table at which a player left, without the reason."""
    where = at_table(ledger, ledger.seating.table_of(player).number)
    if not was_removed(player):
        return f"Left in hand {player.left_in}{where}"
    return f"Removed by the host {f'after hand {player.left_in}' if player.left_in else 'before the first hand'}{where}"
