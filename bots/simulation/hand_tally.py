"""Count what hands gave each player, in whole numbers, so that tallies of blocks add up exactly in any order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, sqrt
from typing import Any, NamedTuple

from bots.simulation.plan import Plan
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
class Result:
    """One bot's score: chips won a hand dealt in, and hands of which it collected a share.

    Attributes:
        seatings: hands of a deal.
        gains: chips won in each deal, all its hands together.
        won: hands of which it collected a share.
    """

    bot: str
    seatings: int = 1
    gains: ExactMean = field(default_factory=ExactMean)
    won: int = 0

    @property
    def hands(self) -> int:
        """Hands dealt in."""
        return self.gains.count * self.seatings

    @property
    def chips_per_hand(self) -> Estimate:
        """The mean with its interval; deals are independent, the hands of a deal are not."""
        return self.gains.estimate.scaled(1 / self.seatings)

    def as_dict(self) -> dict[str, Any]:
        """The facts; the interval of the mean is at 95 %. One hand says nothing about either: None."""
        deviation = sqrt(self.gains.variance) / self.seatings
        return {
            "bot": self.bot,
            "hands": self.hands,
            "chips_per_hand": self.chips_per_hand.value,
            "interval": self.chips_per_hand.interval,
            "deviation": deviation if isfinite(deviation) else None,  # JSON has no infinity
            "hands_won": self.won,
        }


@dataclass(slots=True)
class HandTally:
    """The scores of all players, in the order in which the bots were named."""

    results: list[Result]

    @classmethod
    def start(cls, plan: Plan) -> "HandTally":
        """Nothing played yet."""
        return cls([Result(bot, plan.seatings) for bot in plan.bots])

    def add(self, deal: Sequence[Played]) -> None:
        """Count one deal, played in every seating."""
        for player, result in enumerate(self.results):
            payoffs = [hand.payoffs[player] for hand in deal]
            if payoffs != [None]:
                result.gains.add(sum([payoff or 0 for payoff in payoffs]))
                result.won += sum([hand.collected[player] for hand in deal])

    def merge(self, other: "HandTally") -> None:
        """Take another tally of the same players into account."""
        for mine, more in zip(self.results, other.results, strict=True):
            mine.gains.merge(more.gains)
            mine.won += more.won

    def chips_per_hand(self, player: int) -> Estimate:
        return self.results[player].chips_per_hand
