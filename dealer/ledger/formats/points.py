"""The points of a result, in half points, which are whole numbers: equal sums compare equal.

A win is a point, and a draw half a point. A player with a bye in a Swiss tournament, or whose opponent has left, gets a
point (FIDE Handbook C.04.1: "as many points as are rewarded for a win"); less would punish players for what others
did. In a round robin a bye is worth nothing, as everybody has the same number of them. In a tournament of
many each player has won against those it left behind, and drawn with those who share its place.
"""

from collections.abc import Mapping
from typing import TypeVar

WIN, DRAW, LOSS = 2, 1, 0
BYE = WIN

Who = TypeVar("Who")


def points_of_pair(first: int, second: int) -> tuple[int, int]:
    """Half points of two players of whom the one with more (games won, or chips) has won."""
    won = (first > second) - (first < second)
    return DRAW + won, DRAW - won


def points_of_places(places: Mapping[Who, int]) -> dict[Who, int]:
    """Half points of players who came to these places, 1 being the best: 2 for each one behind, 1 for each equal."""
    return {
        player: sum(points_of_pair(other, place)[0] for other in places.values()) - DRAW
        for player, place in places.items()
    }


def mean_places(places: Mapping[Who, int]) -> dict[Who, float]:
    """These places, but players who share one have the mean of theirs."""
    return {player: len(places) - points / 2 for player, points in points_of_places(places).items()}


def shown(half_points: int) -> str:
    """Points as tables show them: whole, or with a half."""
    whole, half = divmod(half_points, 2)
    return f"{whole or ''}\N{VULGAR FRACTION ONE HALF}" if half else str(whole)


def points_in_words(half_points: int) -> str:
    """``1 point``, or ``2 points``, with halves."""
    return f"{shown(half_points)} {'point' if half_points == 2 else 'points'}"
