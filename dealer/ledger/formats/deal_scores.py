"""Scores of duplicate tournaments: what each player won in every deal, over all seats.

A *deal* is the cards of one game: one hand, or all hands of a game that is played in games. A table of ``R`` players
plays all its deals in a first rotation, then all of them in a second, and so on to the ``R``-th, in which everybody
has sat in every seat of each deal once. So a player's result of a deal is the mean of ``R`` games, and cards that
are good in one seat are good for everybody in turn. Players keep their neighbours: these are not all seatings.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from dealer.lobby.player import Player
from protocol.estimates.intervals import mean


@dataclass(frozen=True, slots=True)
class DealResult:
    """The chips that one player won in the deals that were played in all rotations.

    Attributes:
        deals: how many those are.
        chips_per_deal: chips won in a game of such a deal, on average; None without deals.
        interval: the 95 % confidence interval of that, from the means of the deals: deals are independent of each
            other, the rotations of one are not. None for one deal, and for deals that all brought the same.
    """

    deals: int
    chips_per_deal: float | None
    interval: tuple[float, float] | None


@dataclass(slots=True)
class DealScore:
    """One player's games.

    Attributes:
        deals: that are planned.
        rotations: in which each of them is played.
        won: chips won in each finished game, as they are played: all deals in the first rotation, then in the next.
    """

    deals: int
    rotations: int
    won: "array[int]"

    @property
    def complete(self) -> int:
        """Deals that were played in all rotations."""
        return max(0, len(self.won) - (self.rotations - 1) * self.deals)

    def of_deal(self, deal: int) -> Sequence[int]:
        """Chips won in each rotation of a deal, which is counted from 0."""
        return self.won[deal :: self.deals]

    @property
    def total(self) -> int:
        """Chips won in all games of complete deals together."""
        return sum(sum(self.of_deal(deal)) for deal in range(self.complete))

    @property
    def result(self) -> DealResult:
        """The statistics of complete deals."""
        complete, rotations = self.complete, self.rotations
        sums = [sum(self.of_deal(deal)) for deal in range(complete)]
        estimate = mean([total / rotations for total in sums])
        if estimate is None:
            return DealResult(0, None, None)
        return DealResult(complete, estimate.value, estimate.interval)


class DuplicateScores:
    """The scores of all players, kept while a duplicate tournament runs.

    A player who is thrown out keeps its place, pays antes and folds, so that chips won in a deal always add up to zero.
    """

    def __init__(self, tables: Sequence[Sequence[Player]], deals: int) -> None:
        self.deals = deals
        self.by_player = {
            player: DealScore(deals, len(players), array("q")) for players in tables for player in players
        }

    def end_game(self, players: Sequence[Player], before: Sequence[int], after: Sequence[int]) -> None:
        """Count the next game of a table: its players, and their stacks at its beginning and at its end."""
        for player, start, end in zip(players, before, after, strict=True):
            self.by_player[player].won.append(end - start)

    def totals(self) -> dict[Player, int]:
        """Chips won in all games of complete deals together: whole numbers, so that equal means compare equal."""
        return {player: score.total for player, score in self.by_player.items()}

    def progress(self) -> dict[str, int]:
        """Deals that are planned and complete, and the rotations of each, at the table that is furthest on."""
        furthest = max(self.by_player.values(), key=lambda score: score.complete)
        return {"deals": self.deals, "complete": furthest.complete, "rotations": furthest.rotations}
