"""Count what hands gave each player, in whole numbers, so that tallies of blocks add up exactly in any order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, sqrt
from typing import Any, NamedTuple

from bots.statistics import ExactMean
from protocol.estimates.intervals import Estimate


class Played(NamedTuple):
    """What one hand gave each player.

    Attributes:
        payoffs: chips won; None if it was not dealt in.
        collected: whether it collected a share of a pot.
    """

    payoffs: tuple[int | None, ...]
    collected: tuple[bool, ...]


@dataclass(slots=True)
class Chips:
    """Chips won a hand; in duplicate, a deal is one number, the mean of its seatings.

    Attributes:
        sums: of the seatings of each deal together.
        seatings: hands of a deal.
    """

    sums: ExactMean = field(default_factory=ExactMean)
    seatings: int = 1

    @property
    def count(self) -> int:
        """Deals."""
        return self.sums.count

    @property
    def mean(self) -> float:
        """Chips a hand, on average; 0 of no hands."""
        return self.sums.mean / self.seatings

    @property
    def deviation(self) -> float:
        """The sample's standard deviation; infinite for fewer than two deals."""
        return sqrt(self.sums.variance) / self.seatings

    @property
    def estimate(self) -> Estimate:
        """The mean with its interval."""
        return self.sums.estimate.scaled(1 / self.seatings)


@dataclass(slots=True)
class Result:
    """One bot's score: chips won a hand dealt in, and hands of which it collected a share.

    Attributes:
        bot: its name.
        chips: one number for each hand; in duplicate, one for each deal.
        won: hands of which it collected a share.
    """

    bot: str
    chips: Chips = field(default_factory=Chips)
    won: int = 0

    @property
    def hands(self) -> int:
        """Hands dealt in."""
        return self.chips.count * self.chips.seatings

    def as_dict(self) -> dict[str, Any]:
        """The facts; the interval of the mean is at 95 %. One hand says nothing about either: None."""
        deviation = self.chips.deviation
        return {
            "bot": self.bot,
            "hands": self.hands,
            "chips_per_hand": self.chips.mean,
            "interval": self.chips.estimate.interval,
            "deviation": deviation if isfinite(deviation) else None,  # JSON has no infinity
            "hands_won": self.won,
        }


@dataclass(slots=True)
class HandTally:
    """The scores of all players.

    Attributes:
        results: in the order in which the bots were named.
    """

    results: list[Result]

    @classmethod
    def start(cls, bots: Sequence[str], seatings: int) -> "HandTally":
        """Nothing played yet."""
        return cls([Result(bot, Chips(seatings=seatings)) for bot in bots])

    def add(self, deal: Sequence[Played]) -> None:
        """Count one deal, played in every seating."""
        for player, result in enumerate(self.results):
            payoffs = [hand.payoffs[player] for hand in deal]
            if payoffs != [None]:
                result.chips.sums.add(sum([payoff or 0 for payoff in payoffs]))
                result.won += sum([hand.collected[player] for hand in deal])

    def merge(self, other: "HandTally") -> None:
        """Take another tally of the same players into account."""
        for mine, more in zip(self.results, other.results, strict=True):
            mine.chips.sums.merge(more.chips.sums)
            mine.won += more.won

    def kept(self) -> list[list[int]]:
        """The tally as values of JSON."""
        return [[*result.chips.sums.kept(), result.won] for result in self.results]

    def restore(self, kept: Sequence[Sequence[int]]) -> None:
        """Become the tally that such values hold."""
        for result, (*sums, won) in zip(self.results, kept, strict=True):
            result.chips.sums.restore(sums)
            result.won = int(won)
