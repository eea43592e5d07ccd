"""The common part of round robins and Swiss tournaments: tables of two, whose games one of the players wins."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.ledger.columns import Column, standings_table
from dealer.ledger.formats.format import Format, points_column
from dealer.ledger.formats.pairing_scores import PairingScores
from dealer.ledger.formats.pairings_table import pairings_table
from dealer.ledger.formats.points import points_of_pair
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings


class Pairings(Format):
    """Tables of two players. A pairing is won by who wins more games; a player who left loses those it misses.

    Attributes:
        swiss: whether players are paired by their points; else everybody meets everybody.
        scores: of all pairings.
    """

    eliminates = False
    fewest = 1  # a player who waits for one that has left gets a point for it, as often as that happens
    scores_games = True
    swiss: bool = False

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.scores = PairingScores(players, self.swiss)

    @classmethod
    def check(cls, flags: TournamentFlags) -> None:
        """There are pairs only, who play all their games."""
        super().check(flags)
        if flags.rising or flags.table_size is not None:
            raise OptionError(
                f"tables of {flags.format} have two seats, and stakes stay: "
                "leave out --levels, --level-table and --table-size"
            )

    def rotation(self, table: TableState) -> int:
        """The two take turns in the first seat."""
        return table.game - 1

    def end_game(self, table: TableState) -> None:
        """Count a game of a pairing; a player who has left cannot win it."""
        start = self.settings.game.start(len(table.players)).stacks
        table.won = [won + now - before for won, now, before in zip(table.won, table.match.stacks, start, strict=True)]
        stacks = [(player.left is None, stack) for player, stack in zip(table.players, table.match.stacks, strict=True)]
        order = sorted(set(stacks))
        gained = points_of_pair(order.index(stacks[0]), order.index(stacks[1]))
        table.points = [points + half for points, half in zip(table.points, gained, strict=True)]

    def end_round(self, tables: Sequence[TableState], places: Mapping[Player, int]) -> None:
        """Count the pairings of a round, and those that were not played."""
        for table in tables:
            if len(table.players) == 2:
                one, two = table.players
                chips = table.won[0], table.won[1]
                self.scores.end_pairing(one, two, points_of_pair(*self._won(table)), chips)
        self.count_unplayed(tables)

    def count_unplayed(self, tables: Sequence[TableState]) -> None:
        """Count what players without an opponent in this round get."""
        raise NotImplementedError

    def _won(self, table: TableState) -> tuple[int, int]:
        """Half points of games: those played, and those for which one of the two was not there."""
        unplayed = 2 * (self.settings.games - table.scored)
        gone = [player.left is not None for player in table.players]
        one, two = (points + unplayed * other for points, other in zip(table.points, reversed(gone), strict=True))
        return one, two

    def points(self) -> Mapping[Player, int]:
        return self.scores.points()

    def merits(self) -> Mapping[Player, tuple[int, ...]] | None:
        return self.scores.rank_keys()

    def columns(self) -> Sequence[Column]:
        """Points."""
        return (points_column(self.scores.points()),)

    def tables(self, standings: Sequence[Standing]) -> Iterator[Table]:
        """The results of pairings, then the standings."""
        yield pairings_table(standings, self.scores)
        yield standings_table(standings)

    def facts(self, player: Player) -> dict[str, Any]:
        return {**super().facts(player), "pairings": self.scores.facts()[player]}
