"""What a player of hold'em has seen of its opponents: how often each folds to a bet, plays on, and bets itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field

#: Where a bet is no more than the first part of the pot it is small, up to the second it is medium, beyond large.
SMALL, MEDIUM = 0.5, 1.5
SIZES = 3


def size_of(bet: int, pot: int) -> int:
    """The kind of a bet of so many chips into a pot: 0 for a small one, 1 for a medium one, 2 for a large one."""
    return (bet > SMALL * pot) + (bet > MEDIUM * pot)


@dataclass(slots=True)
class Rate:
    """How often something happens, from what was seen and a guess before that.

    Attributes:
        guess: the rate before anything was seen.
        weight: how many times of seeing the guess counts for.
        seen: how often it could have happened.
        happened: how often it did.
    """

    guess: float
    weight: float = 4.0
    seen: int = 0
    happened: int = 0

    def add(self, happened: bool) -> None:
        """Take one more time into account."""
        self.seen += 1
        self.happened += happened

    @property
    def value(self) -> float:
        """The rate, from 0 to 1."""
        return self.estimate(self.guess)

    def estimate(self, guess: float) -> float:
        """The rate with another guess."""
        return (self.happened + self.weight * guess) / (self.seen + self.weight)


def _fold_rates() -> list[Rate]:
    return [Rate(guess) for guess in (0.35, 0.45, 0.55)]


@dataclass(slots=True)
class Opponent:
    """One opponent.

    Attributes:
        plays: how often it sees a flop.
        bets: how often it bets or raises on a street, by whether that is after the flop.
        folds: how often it folds to a bet, by whether that is after the flop and by the kind of the bet.
    """

    plays: Rate = field(default_factory=lambda: Rate(0.45))
    bets: tuple[Rate, Rate] = field(default_factory=lambda: (Rate(0.2), Rate(0.3)))
    folds: tuple[Sequence[Rate], Sequence[Rate]] = field(default_factory=lambda: (_fold_rates(), _fold_rates()))

    def fold_rate(self, later: bool, size: int) -> float:
        """How often it folds to a bet of a kind; what was seen of the other kinds counts for the guess.

        Args:
            later: whether this is after the flop.
            size: the kind of the bet.
        """
        rates = self.folds[later]
        own = rates[size]
        shift = sum(rate.seen * (rate.value - rate.guess) for rate in rates) / (sum(rate.seen for rate in rates) + 4)
        return own.estimate(min(0.95, max(0.02, own.guess + shift)))
