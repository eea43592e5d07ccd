"""Series of tournaments, and what they say about strength."""

from random import Random

import pytest

from dealer.ledger.formats.rating import Ratings
from dealer.ledger.formats.series import SeriesScores
from dealer.lobby.player import Player


def players(count: int) -> list[Player]:
    return [Player(f"p{number}", f"Player {number}", "bot") for number in range(count)]


def test_points_places_and_first_places() -> None:
    one, two, three = crowd = players(3)
    scores = SeriesScores(crowd)
    scores.end_round({one: 1, two: 2, three: 2})
    scores.end_round({one: 1, two: 1, three: 3})
    assert [scores.standings_merit(player) for player in crowd] == [(7, 1, 1), (4, 0, 1), (1, 0, 0)]
    assert [scores.by_player[player].average_place for player in crowd] == [1.25, 2, 2.75]
    assert scores.rounds == 2
    assert scores.facts()[one]["points_by_tournament"] == [2, 1.5]


def test_who_does_not_play_is_left_behind_and_not_rated() -> None:
    one, two, three = crowd = players(3)
    scores = SeriesScores(crowd)
    scores.end_round({one: 2, two: 1})
    assert [scores.by_player[player].total for player in crowd] == [2, 4, 0]
    assert scores.by_player[three].average_place is None
    assert scores.by_player[two].average_place == 1
    assert scores.ratings[three].mu == 25
    assert scores.facts()[three]["tournaments"] == 0


def test_only_the_order_of_places_counts() -> None:
    one, two = crowd = players(2)
    near, far = SeriesScores(crowd), SeriesScores(crowd)
    near.end_round({one: 1, two: 2})
    far.end_round({one: 3, two: 9})
    assert near.facts() == far.facts()


def test_the_same_results_make_the_same_ratings() -> None:
    crowd = players(6)
    folded = []
    for _ in range(2):
        random, ratings = Random(1), Ratings(crowd)
        for _ in range(20):
            ratings.add({player: random.randint(1, 4) for player in crowd})
        folded.append([ratings[player] for player in crowd])
    assert folded[0] == folded[1]


def test_rating_follows_results_and_grows_surer() -> None:
    one, two, three = crowd = players(3)
    ratings = Ratings(crowd)
    ratings.add({two: 2, one: 1})
    assert ratings[one].mu > 25 > ratings[two].mu
    assert ratings[one].sigma == pytest.approx(ratings[two].sigma)
    assert ratings[one].sigma < ratings[three].sigma == pytest.approx(25 / 3)
    low, high = ratings[three].interval
    assert (low, high) == pytest.approx((25 - 1.959964 * 25 / 3, 25 + 1.959964 * 25 / 3))
    assert str(ratings[three]) == "25.0 ±16.3"


def test_equals_stay_equal_and_one_alone_tells_nothing() -> None:
    one, two = crowd = players(2)
    ratings = Ratings(crowd)
    ratings.add({one: 1})
    assert (ratings[one].mu, ratings[one].sigma) == (25, 25 / 3)
    ratings.add({one: 1, two: 1})
    assert ratings[one].mu == pytest.approx(ratings[two].mu)
