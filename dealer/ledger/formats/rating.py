"""Ratings: how strong the places of players say they are, and how sure that is.

The model is that of Plackett and Luce, fitted by the updates of Weng and Lin (A Bayesian approximation method for
online ranking, JMLR 12, 2011), as openskill has it, with its defaults: everybody begins at 25 with sigma 25 / 3.

What the intervals are good for was measured with 200 series of players of known strength each, whose play varies as the
model supposes (tests/dealer/ledger/formats/test_rating_coverage.py):

- Where two intervals do not overlap, their order was right in 23,972 of 23,973 pairs, also of nearly equal players.
- Sigma shrinks slowly: after 5 tournaments no two intervals were apart, and after 100 of six players with strengths as
  different as ratings expect, 74 % of pairs were; with a quarter of those differences, 20 %.
- There is no interval for a strength on the model's own scale: mu is drawn out with the number of players, and after
  those 100 tournaments 27 % held it, and 81 % with a quarter of the differences.

So ratings say who is better than whom with much caution, decide no places, and are headed "1.96 sigma", not "95 %".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from openskill.models import PlackettLuce

from dealer.ledger.columns import Column
from dealer.lobby.player import Player
from protocol.estimates.intervals import CONFIDENCE

#: Standard deviations that an interval of a normal distribution reaches to each side.
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


#: In terminals: what is behind the plus-minus sign is the model's own spread, which holds less than 95 % of strengths.
RATING_HEADING = "Rating\n\N{PLUS-MINUS SIGN}1.96\N{GREEK SMALL LETTER SIGMA}"


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength, normally distributed as far as is known.

    Attributes:
        mu: the mean.
        sigma: the standard deviation.
    """

    mu: float
    sigma: float

    @property
    def half_width(self) -> float:
        """Half of the interval: 1.96 sigma, which would hold 95 % if the model were right about this game."""
        return Z * self.sigma

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the strength, 95 % certain if the model is right; see the module for how often it is."""
        return self.mu - self.half_width, self.mu + self.half_width

    def as_dict(self) -> dict[str, Any]:
        return {"mu": self.mu, "sigma": self.sigma, "interval": self.interval}

    def __str__(self) -> str:
        return f"{self.mu:.1f} \N{PLUS-MINUS SIGN}{self.half_width:.1f}"


class Ratings:
    """The ratings of all players, kept while results come in. The same results in the same order make the same ratings.

    Args:
        players: who are rated.
    """

    def __init__(self, players: Iterable[Player]) -> None:
        self._model = PlackettLuce()
        self._ratings = {player: self._model.rating() for player in players}

    def __getitem__(self, player: Player) -> Rating:
        rating = self._ratings[player]
        return Rating(rating.mu, rating.sigma)

    def add(self, places: Mapping[Player, int]) -> None:
        """Learn from the places of players who met, 1 being the best; equals share one. One alone tells nothing."""
        if len(places) < 2:
            return
        teams = [[self._ratings[player]] for player in places]
        rated = self._model.rate(teams, ranks=[float(place) for place in places.values()])
        self._ratings.update({player: team[0] for player, team in zip(places, rated, strict=True)})


def rating_columns(points: Mapping[Player, int], ratings: Ratings) -> Sequence[Column]:
    """The columns of points and ratings, for the report's page and CSV file.

    Args:
        points: half points of each player.
        ratings: of the players.
    """
    return (
        Column("points", lambda one: points[one.player] / 2, title="Points", sheet="points", page="{:g}".format),
        Column(
            "rating",
            lambda one: ratings[one.player].mu,
            title="Rating",
            sheet="rating",
            page="{:.1f}".format,
            margin=lambda one: f"{ratings[one.player].half_width:.1f}",
        ),
        Column("rating_from", lambda one: ratings[one.player].interval[0], sheet="rating_from"),
        Column("rating_to", lambda one: ratings[one.player].interval[1], sheet="rating_to"),
    )
