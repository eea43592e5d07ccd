"""The freezeout format, or a series of freezeouts: everybody plays until one player has all chips."""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table

from dealer.ledger.columns import Column, standings_table
from dealer.ledger.formats.format import Format, deal_out
from dealer.ledger.formats.rating import rating_columns
from dealer.ledger.formats.series import SeriesScores, series_table
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings


class Freezeout(Format):
    """One tournament, or a series of them, in which a player without chips is out.

    Attributes:
        series: scores of several tournaments; None if there is one.
    """

    rounds_from = "series"

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.rounds = settings.rounds or 1
        self.series = SeriesScores(players) if self.rounds > 1 else None

    @classmethod
    def one_table(cls, settings: Settings) -> bool:
        """Players do not move between tables where the game is played in games, or programs of the ACPC take part."""
        return settings.game.in_games or settings.acpc is not None

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """As few tables as hold everybody, in the order of arrival; in later rounds the seed draws the seats."""
        order = list(here)
        if number > 1:
            order.sort(key=lambda player: self._lot(number, player))
        return deal_out(order, self.settings.table_size)

    def _lot(self, number: int, player: Player) -> bytes:
        return hmac.digest(self.settings.seed, f"seat/{number}/{player.number}".encode(), "sha256")

    def end_round(self, tables: Sequence[TableState], places: Mapping[Player, int]) -> None:
        """Count a tournament of a series."""
        if self.series is not None:
            self.series.end_round(places)

    def points(self) -> Mapping[Player, int]:
        return {player: score.total for player, score in self.series.by_player.items()} if self.series else {}

    def merits(self) -> Mapping[Player, tuple[int, ...]] | None:
        series = self.series
        if series is None or series.rounds == 0:
            return None
        return {player: series.standings_merit(player) for player in series.by_player}

    def places(self, player: Player) -> Sequence[float]:
        """A player's place in each tournament of a series that it finished."""
        return tuple(self.series.by_player[player].places) if self.series else ()

    def columns(self) -> Sequence[Column]:
        """In a series, points and ratings; else what is known of games."""
        return super().columns() if self.series is None else rating_columns(self.points(), self.series.ratings)

    def tables(self, standings: Sequence[Standing]) -> Iterator[Table]:
        """Of a series its scores, then the standings; of a single tournament what is known of games."""
        if self.series is None:
            yield from super().tables(standings)
            return
        yield series_table(standings, self.series)
        yield standings_table(standings)

    def facts(self, player: Player) -> dict[str, Any]:
        return {**super().facts(player), **({"series": self.series.facts()[player]} if self.series else {})}


FORMAT = Freezeout
