"""Count what happened in many plays, in whole numbers, so that tallies of blocks add up exactly in any order.

The unit that is independent of the others is the *deal*. Without duplicates a deal is played once; with them, once for
every seat a player can have, and those plays are one observation.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import combinations
from typing import NamedTuple

from bots.simulation.plan import Plan
from protocol.estimates.exact_mean import ExactMean
from protocol.estimates.intervals import Estimate, share


class Played(NamedTuple):
    """One game that is over, or one hand.

    Attributes:
        gains: chips that each player won.
        opener: the player who was the first to act.
        folds: hands each player folded.
        pots: chips in the pots of all hands together.
    """

    gains: tuple[int, ...]
    opener: int
    folds: tuple[int, ...]
    pots: int


@dataclass(slots=True)
class PlayerTally:
    """One player's plays.

    Attributes:
        gains: chips won in the plays of each deal together.
        wins: plays of each deal won: "the winner of the game is the player with the most chips".
        drawn: plays in which another player had as many chips.
        chips: how often a play won how many chips.
        won_as_opener: plays won, by the player who opened them.
    """

    gains: ExactMean = field(default_factory=ExactMean)
    wins: ExactMean = field(default_factory=ExactMean)
    drawn: int = 0
    folds: int = 0
    chips: Counter[int] = field(default_factory=Counter)
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
        self.chips.update(other.chips)
        self.won_as_opener.update(other.won_as_opener)


@dataclass(slots=True)
class PairTally:
    """Two players against each other: how many chips the first won beyond the second.

    Attributes:
        plays: that difference, play by play.
        deals: the same, of the plays of each deal together.
        ahead, behind: deals of which the first, or the second, won more plays than the other.
    """

    plays: ExactMean = field(default_factory=ExactMean)
    deals: ExactMean = field(default_factory=ExactMean)
    ahead: int = 0
    behind: int = 0

    def add(self, differences: Sequence[int], times: int) -> None:
        """Count so many deals that ended alike."""
        score = 0
        for difference in differences:
            self.plays.add(difference, times)
            score += (difference > 0) - (difference < 0)
        self.deals.add(sum(differences), times)
        self.ahead += (score > 0) * times
        self.behind += (score < 0) * times

    def merge(self, other: "PairTally") -> None:
        """Take another tally of the same two into account."""
        self.plays.merge(other.plays)
        self.deals.merge(other.deals)
        self.ahead += other.ahead
        self.behind += other.behind


#: How many hands with the largest losses are kept.
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Change:
    """A hand that two versions played differently.

    Attributes:
        deal: its number, from 1.
        seat: of the version.
        old: chips that the old version won.
        new: chips that the new one won.
        difference: chips that the new version won more.
        street: on which they differ, from 1.
        did: the first action that differs, as the old version replied.
        now: what the new one replied in its place.
    """

    deal: int
    seat: int
    old: int
    new: int
    difference: int
    street: int
    did: str
    now: str


@dataclass(frozen=True, slots=True)
class VersionFault:
    """A fault of a version in a deal, from 1, and a seat; its kind, and the reason in words."""

    deal: int
    seat: int
    kind: str
    reason: str


@dataclass(slots=True)
class Versions:
    """What two versions did, beside the chips that they won.

    Attributes:
        changed: hands in which any action was another one.
        losses: the ``SHOWN`` of them in which the new version lost most; of equal losses, the earlier ones.
        faults: of the new version, and of the old one.
    """

    changed: int = 0
    losses: list[Change] = field(default_factory=list)
    faults: tuple[list[VersionFault], list[VersionFault]] = field(default_factory=lambda: ([], []))

    def add(self, change: Change | None, *faults: Sequence[VersionFault]) -> None:
        """Count a hand of both: what was played differently, if anything, and the faults of the new one and the old."""
        for mine, more in zip(self.faults, faults, strict=True):
            mine.extend(more)
        if change is not None:
            self.changed += 1
            self._keep([change])

    def merge(self, other: "Versions") -> None:
        """Take what the same versions did in later deals into account."""
        self.changed += other.changed
        self._keep(other.losses)
        for mine, more in zip(self.faults, other.faults, strict=True):
            mine.extend(more)

    def _keep(self, changed: Sequence[Change]) -> None:
        if losses := [change for change in changed if change.difference < 0]:
            self.losses = nsmallest(SHOWN, [*self.losses, *losses], key=lambda one: one.difference)


@dataclass(slots=True)
class Tally:
    """All players' plays.

    Attributes:
        players: in the order in which they were named.
        both: the tally of every two players, in the order of ``pairs``.
        hands: in a play.
        seatings: plays of a deal.
        pots: chips in the pots of all hands together.
        opened: plays by the player who opened them.
        versions: what else two versions of a player did; None where bots meet.
    """

    players: list[PlayerTally]
    both: list[PairTally]
    hands: int
    seatings: int
    pots: int = 0
    opened: Counter[int] = field(default_factory=Counter)
    versions: Versions | None = None

    @classmethod
    def start(cls, plan: Plan) -> "Tally":
        """Nothing played yet."""
        count = len(plan.bots)
        both = [PairTally() for _ in combinations(range(count), 2)]
        versions = Versions() if plan.against else None
        return cls([PlayerTally() for _ in range(count)], both, plan.hands, plan.seatings, versions=versions)

    @property
    def pairs(self) -> dict[tuple[int, int], PairTally]:
        """The tally of every two players, the one named first before the other."""
        return dict(zip(combinations(range(len(self.players)), 2), self.both, strict=True))

    @property
    def deals(self) -> int:
        """Deals played."""
        return self.players[0].gains.count

    @property
    def plays(self) -> int:
        return self.deals * self.seatings

    def add(self, deal: Sequence[Played], times: int = 1) -> None:
        """Count a deal, played in every seating, or so many deals that ended alike."""
        winners = []
        for play in deal:
            self.pots += play.pots * times
            self.opened[play.opener] += times
            most = max(play.gains)
            winners.append((most, play.gains.count(most) > 1))
        for index, player in enumerate(self.players):
            won = total = 0
            for play, (most, draw) in zip(deal, winners, strict=True):
                gain = play.gains[index]
                total += gain
                player.chips[gain] += times
                player.folds += play.folds[index] * times
                if gain == most and draw:
                    player.drawn += times
                elif gain == most:
                    won += 1
                    player.won_as_opener[play.opener] += times
            player.wins.add(won, times)
            player.gains.add(total, times)
        for (first, second), pair in self.pairs.items():
            pair.add([play.gains[first] - play.gains[second] for play in deal], times)

    def merge(self, other: "Tally") -> None:
        """Take another tally of the same players into account."""
        self.pots += other.pots
        self.opened.update(other.opened)
        for mine, more in zip(self.players, other.players, strict=True):
            mine.merge(more)
        for pair, more_of_both in zip(self.both, other.both, strict=True):
            pair.merge(more_of_both)
        if self.versions is not None and other.versions is not None:
            self.versions.merge(other.versions)

    def chips_per_hand(self, player: int) -> Estimate:
        """Chips won a hand, deals being independent."""
        return self.players[player].gains.estimate.scaled(1 / (self.seatings * self.hands))

    def win_rate(self, player: int) -> Estimate:
        """The share of plays won; where a deal is several plays, these depend on each other and count as one value."""
        tally = self.players[player]
        if self.seatings == 1:
            return share(tally.won, self.plays)
        return tally.wins.estimate_within(0, self.seatings).scaled(1 / self.seatings)

    @property
    def average_pot(self) -> float:
        """Chips in the pot at the end of a hand, with what ties carried over."""
        return self.pots / max(self.plays * self.hands, 1)

    def variance_ratio(self, pair: tuple[int, int]) -> float | None:
        """The variance of the mean difference within a deal, divided by what as many independent plays would have.

        None if it cannot be known: fewer than two deals, or plays that are all the same.
        """
        tally = self.pairs[pair]
        if tally.deals.count < 2 or not tally.plays.variance:
            return None
        return tally.deals.variance / self.seatings / tally.plays.variance
