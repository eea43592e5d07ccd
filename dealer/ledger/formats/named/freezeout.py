"""The freezeout format, or a series of freezeouts: everybody plays until one player has all chips."""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from rich.table import Table

from dealer.ledger.columns import AVATAR, BOT, PLACE, Column, standings_table, table
from dealer.ledger.formats.format import Format, deal_out, points_column
from dealer.ledger.formats.points import points_of_places
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings


@dataclass(slots=True)
class SeriesScore:
    """The results of one player in all tournaments.

    Attributes:
        points: of each tournament, in half points: 2 for each player left behind, 1 for each with the same place.
        places: in each tournament it played; those who share one have the mean of theirs, so places are halves too.
        won: tournaments in which nobody else came first.
        shared: first places that others had too.
    """

    points: list[int] = field(default_factory=list)
    places: list[float] = field(default_factory=list)
    won: int = 0
    shared: int = 0

    @property
    def total(self) -> int:
        """Half points of all tournaments."""
        return sum(self.points)

    @property
    def merit(self) -> tuple[int, int, int]:
        """A key that orders places in the series, more being better: points, tournaments won, first places shared."""
        return self.total, self.won, self.shared

    @property
    def average_place(self) -> float | None:
        """Over the tournaments it played; None before the first."""
        return fmean(self.places) if self.places else None

    @property
    def facts(self) -> dict[str, Any]:
        """The facts for JSON."""
        return {
            "tournaments": len(self.places),
            "points": self.total / 2,
            "points_by_tournament": [points / 2 for points in self.points],
            "places": list(self.places),
            "average_place": self.average_place,
            "won": self.won,
            "shared": self.shared,
        }


class Freezeout(Format):
    """One tournament, or a series of them, in which a player without chips is out.

    Attributes:
        series: the results of each player in several tournaments; empty if there is one.
    """

    rounds_from = "series"

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.rounds = settings.rounds or 1
        self.series = {player: SeriesScore() for player in players} if self.rounds > 1 else {}

    @classmethod
    def one_table(cls, settings: Settings) -> bool:
        """Players do not move between tables where the game is played in games, or programs of the ACPC take part."""
        return settings.game.in_games or settings.acpc is not None

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """As few tables as hold everybody, in the order of arrival; in later rounds the seed draws the seats."""

        def lot(player: Player) -> bytes:
            return hmac.digest(self.settings.seed, f"seat/{number}/{player.number}".encode(), "sha256")

        return deal_out(sorted(here, key=lot) if number > 1 else here, self.settings.table_size)

    def end_round(self, tables: Sequence[TableState], places: Mapping[Player, int]) -> None:
        """Count a tournament of a series.

        Who did not play it is left behind by all who did, and gets nothing.
        """
        if not self.series:
            return
        points, absent = points_of_places(places), len(self.series) - len(places)
        first = [player for player, place in places.items() if place == min(places.values())]
        for player, score in self.series.items():
            score.points.append(points[player] + 2 * absent if player in places else 0)
            if player in places:
                score.places.append(len(places) - points[player] / 2)
            if player in first:
                score.won += len(first) == 1
                score.shared += len(first) > 1

    def points(self) -> Mapping[Player, int]:
        return {player: score.total for player, score in self.series.items()}

    def merits(self) -> Mapping[Player, tuple[int, ...]] | None:
        """None before the first tournament of a series is over."""
        over = any(score.points for score in self.series.values())
        return {player: score.merit for player, score in self.series.items()} if over else None

    def places(self, player: Player) -> Sequence[float]:
        """A player's place in each tournament of a series that it finished."""
        return tuple(self.series[player].places) if self.series else ()

    def columns(self) -> Sequence[Column]:
        """In a series, points; else what is known of games."""
        return (points_column(self.points()),) if self.series else super().columns()

    def tables(self, standings: Sequence[Standing]) -> Iterator[Table]:
        """Of a series its scores, then the standings; of a single tournament what is known of games."""
        if not self.series:
            yield from super().tables(standings)
            return

        def score(standing: Standing) -> SeriesScore:
            return self.series[standing.player]

        columns = (
            PLACE,
            AVATAR,
            BOT,
            points_column(self.points()),
            Column("won", lambda one: score(one).won, "Won"),
            Column("shared", lambda one: score(one).shared, "Shared"),
            Column("average_place", lambda one: score(one).average_place, "Average\nplace", text="{:.2f}".format),
        )
        yield table("Series", standings, columns)
        yield standings_table(standings)

    def facts(self, player: Player) -> dict[str, Any]:
        return {**super().facts(player), **({"series": self.series[player].facts} if self.series else {})}


FORMAT = Freezeout
