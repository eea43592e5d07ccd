"""Count what happened in many games, in whole numbers, so that tallies of blocks add up exactly in any order.

The unit that is independent of the others is the *deal*: the cards of one game. Without duplicates a deal is
played once; with them, once for every seat a player can have, and those games are one observation.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from bots.simulation.plan import Plan
from bots.statistics import ExactMean
from protocol.estimates.intervals import Estimate, share


class FinishedGame(NamedTuple):
    """One game that is over.

    Attributes:
        stacks: chips of each player at the end.
        opener: the player who opened the first hand.
        folds: hands each player folded.
        pots: chips in the pots of all hands together.
    """

    stacks: tuple[int, ...]
    opener: int
    folds: tuple[int, ...]
    pots: int


@dataclass(slots=True)
class PlayerTally:
    """One player's games.

    Attributes:
        gains: chips won in the games of each deal together.
        wins: games of each deal won: "the winner of the game is the player with the most chips".
        drawn: games in which another player had as many chips.
        stacks: how often games ended with how many chips.
        opened, won_as_opener: games by the player who opened them, and those of them that this player won.
    """

    gains: ExactMean = field(default_factory=ExactMean)
    wins: ExactMean = field(default_factory=ExactMean)
    drawn: int = 0
    folds: int = 0
    stacks: Counter[int] = field(default_factory=Counter)
    opened: Counter[int] = field(default_factory=Counter)
    won_as_opener: Counter[int] = field(default_factory=Counter)

    @property
    def won(self) -> int:
        return self.wins.total

    def merge(self, other: "PlayerTally") -> None:
        """Take another tally of the same player into account."""
        self.gains.merge(other.gains)
        self.wins.merge(other.wins)
        self.drawn += other.drawn
        self.folds += other.folds
        self.stacks.update(other.stacks)
        self.opened.update(other.opened)
        self.won_as_opener.update(other.won_as_opener)


@dataclass(slots=True)
class PairTally:
    """Two players' games against each other: how many chips the first ended with beyond the second.

    Attributes:
        games: that difference, game by game.
        deals: the same, of the games of each deal together.
        ahead, behind: deals of which the first, or the second, won more games than the other.
    """

    games: ExactMean = field(default_factory=ExactMean)
    deals: ExactMean = field(default_factory=ExactMean)
    ahead: int = 0
    behind: int = 0

    def add(self, differences: Sequence[int]) -> None:
        """Count one deal."""
        for difference in differences:
            self.games.add(difference)
        self.deals.add(sum(differences))
        score = sum([(difference > 0) - (difference < 0) for difference in differences])
        self.ahead += score > 0
        self.behind += score < 0

    def merge(self, other: "PairTally") -> None:
        """Take another tally of the same two into account."""
        self.games.merge(other.games)
        self.deals.merge(other.deals)
        self.ahead += other.ahead
        self.behind += other.behind


@dataclass(slots=True)
class Tally:
    """All players' games.

    Attributes:
        players: in the order in which they were named.
        stack: chips at the start of a game.
        hands: in a game.
        seatings: games of a deal.
        pots: chips in the pots of all hands together.
        both: the tally of every two players, in the order of ``pairs``.
    """

    players: list[PlayerTally]
    both: list[PairTally]
    stack: int
    hands: int
    seatings: int
    pots: int = 0

    @classmethod
    def start(cls, plan: Plan) -> "Tally":
        """Nothing played yet."""
        count = len(plan.bots)
        both = [PairTally() for _ in combinations(range(count), 2)]
        return cls([PlayerTally() for _ in range(count)], both, plan.game.stack, plan.game.hands, plan.seatings)

    @property
    def pairs(self) -> dict[tuple[int, int], PairTally]:
        """The tally of every two players, the one named first before the other."""
        return dict(zip(combinations(range(len(self.players)), 2), self.both, strict=True))

    @property
    def deals(self) -> int:
        """Deals played."""
        return self.players[0].gains.count

    @property
    def games(self) -> int:
        return self.deals * self.seatings

    def add(self, deal: Sequence[FinishedGame]) -> None:
        """Count one deal, played in every seating."""
        best = [max(game.stacks) for game in deal]
        shared = [game.stacks.count(most) > 1 for game, most in zip(deal, best, strict=True)]
        self.pots += sum([game.pots for game in deal])
        for index, player in enumerate(self.players):
            won = 0
            for game, most, draw in zip(deal, best, shared, strict=True):
                stack = game.stacks[index]
                player.stacks[stack] += 1
                player.folds += game.folds[index]
                player.opened[game.opener] += 1
                if stack == most:
                    player.drawn += draw
                    won += not draw
                    player.won_as_opener[game.opener] += not draw
            player.wins.add(won)
            player.gains.add(sum([game.stacks[index] for game in deal]) - self.stack * len(deal))
        for (first, second), pair in self.pairs.items():
            pair.add([game.stacks[first] - game.stacks[second] for game in deal])

    def merge(self, other: "Tally") -> None:
        """Take another tally of the same players into account."""
        self.pots += other.pots
        for mine, more in zip(self.players, other.players, strict=True):
            mine.merge(more)
        for pair, more_of_both in zip(self.both, other.both, strict=True):
            pair.merge(more_of_both)

    def chips_per_game(self, player: int) -> Estimate:
        """Chips at the end of a game."""
        gained = self.players[player].gains.estimate.scaled(1 / self.seatings)
        return Estimate(*(self.stack + chips for chips in gained))

    def chips_per_hand(self, player: int) -> Estimate:
        """Chips won a hand, deals being independent."""
        return self.players[player].gains.estimate.scaled(1 / (self.seatings * self.hands))

    def win_rate(self, player: int) -> Estimate:
        """The share of games won; where a deal is several games, these depend on each other and count as one value."""
        tally = self.players[player]
        if self.seatings == 1:
            return share(tally.won, self.games)
        return tally.wins.estimate_within(0, self.seatings).scaled(1 / self.seatings)

    @property
    def average_pot(self) -> float:
        """Chips in the pot at the end of a hand, with what ties carried over."""
        return self.pots / max(self.games * self.hands, 1)

    def variance_ratio(self, pair: tuple[int, int]) -> float | None:
        """The variance of the mean difference within a deal, divided by what as many independent games would have.

        None if it cannot be known: fewer than two deals, or games that are all the same.
        """
        tally = self.pairs[pair]
        if tally.deals.count < 2 or not tally.games.variance:
            return None
        return tally.deals.variance / self.seatings / tally.games.variance
