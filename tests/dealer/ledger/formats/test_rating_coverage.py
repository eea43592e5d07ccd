"""What the intervals of ratings are good for, measured with players whose strength is known.

A player of strength s plays as well as a normal number around s with the model's own beta, 25 / 6; the better one comes
first. Strengths are drawn from the spread that ratings begin with, from a quarter of it, and nearly equal.
"""

from itertools import combinations
from random import Random
from statistics import fmean

import pytest

from dealer.ledger.formats.rating import Rating, Ratings
from dealer.lobby.player import Player

BETA = 25 / 6
SERIES = 200


def played(random: Random, strengths: list[float], rounds: int) -> list[Rating]:
    """Ratings after a series of tournaments of everybody."""
    players = [Player(str(number), "", "") for number in range(len(strengths))]
    ratings = Ratings(players)
    for _ in range(rounds):
        plays = [random.gauss(strength, BETA) for strength in strengths]
        best_first = sorted(players, key=lambda player: -plays[int(player.id)])
        ratings.add({player: place for place, player in enumerate(best_first, 1)})
    return [ratings[player] for player in players]


@pytest.mark.heavy
@pytest.mark.parametrize("spread", [25 / 3, 25 / 12, 0.5])
@pytest.mark.parametrize("rounds", [5, 20, 100])
@pytest.mark.parametrize("players", [2, 6, 12])
def test_coverage(spread: float, rounds: int, players: int) -> None:
    random = Random(1)
    held: list[bool] = []
    right: list[bool] = []
    pairs, sigmas = 0, []
    for _ in range(SERIES):
        strengths = [random.gauss(25, spread) for _ in range(players)]
        ratings = played(random, strengths, rounds)
        shift = fmean(rating.mu for rating in ratings) - fmean(strengths)  # only differences show in results
        sigmas += [rating.sigma for rating in ratings]
        for strength, rating in zip(strengths, ratings, strict=True):
            held.append(abs(rating.mu - shift - strength) <= rating.half_width)
        for one, two in combinations(range(players), 2):
            pairs += 1
            if abs(ratings[one].mu - ratings[two].mu) > ratings[one].half_width + ratings[two].half_width:
                right.append((ratings[one].mu > ratings[two].mu) == (strengths[one] > strengths[two]))
    wrong = len(right) - sum(right)
    print(
        f"\n{players} players, {rounds} tournaments, spread {spread:.1f}: {fmean(held):.0%} of strengths in their"
        f" interval; sigma {fmean(sigmas):.1f}; {len(right) / pairs:.1%} of pairs told apart,"
        f" {wrong} of {len(right)} wrongly"
    )
    assert wrong <= pairs * 0.0025  # of all pairs, however nearly equal
