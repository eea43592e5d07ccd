"""The scores of a series: the same players in one tournament after another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from rich.table import Table

from dealer.ledger.columns import AVATAR, BOT, PLACE, Column, table
from dealer.ledger.formats.points import points_of_places, shown
from dealer.ledger.formats.rating import RATING_HEADING, Ratings
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player


@dataclass(slots=True)
class SeriesScore:
    """What one player did in all tournaments.

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
    def average_place(self) -> float | None:
        """Over the tournaments it played; None before the first."""
        return fmean(self.places) if self.places else None


class SeriesScores:
    """The scores of all players, kept while a series runs.

    Args:
        players: of the whole series.

    Attributes:
        rounds: tournaments that are over.
        ratings: of the players, from their places.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self.by_player = {player: SeriesScore() for player in players}
        self.rounds = 0
        self.ratings = Ratings(players)

    def end_round(self, places: Mapping[Player, int]) -> None:
        """Count a tournament that ended so; 1 is the best, and equals share a place.

        Who did not play it is left behind by all who did, gets nothing, and is not rated.
        """
        self.rounds += 1
        points, absent = points_of_places(places), len(self.by_player) - len(places)
        first = [player for player, place in places.items() if place == min(places.values())]
        for player, score in self.by_player.items():
            score.points.append(points[player] + 2 * absent if player in places else 0)
            if player in places:
                score.places.append(len(places) - points[player] / 2)
            if player in first:
                score.won += len(first) == 1
                score.shared += len(first) > 1
        self.ratings.add(places)

    def standings_merit(self, player: Player) -> tuple[int, int, int]:
        """What places in the series go by, more being better: points, tournaments won, first places shared."""
        score = self.by_player[player]
        return score.total, score.won, score.shared

    def facts(self) -> dict[Player, dict[str, Any]]:
        """What a script is told of each player."""
        return {
            player: {
                "tournaments": len(score.places),
                "points": score.total / 2,
                "points_by_tournament": [points / 2 for points in score.points],
                "places": list(score.places),
                "average_place": score.average_place,
                "won": score.won,
                "shared": score.shared,
                "rating": self.ratings[player].as_dict(),
            }
            for player, score in self.by_player.items()
        }


def series_table(standings: Sequence[Standing], scores: SeriesScores) -> Table:
    """Places and scores of a series, as a terminal of 80 columns shows them."""

    def score(standing: Standing) -> SeriesScore:
        return scores.by_player[standing.player]

    columns = (
        PLACE,
        AVATAR,
        BOT,
        Column("points", lambda one: score(one).total, "Points", text=shown),
        Column("won", lambda one: score(one).won, "Won"),
        Column("shared", lambda one: score(one).shared, "Shared"),
        Column("average_place", lambda one: score(one).average_place, "Average\nplace", text="{:.2f}".format),
        Column("rating", lambda one: scores.ratings[one.player], RATING_HEADING),
    )
    return table("Series", standings, columns)
