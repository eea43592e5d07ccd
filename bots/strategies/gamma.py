"""``gamma``: learns how its opponent acts, hand by hand, and plays the best answer to that.

"If the domain information contained data about previous hands, could the AI make use of that information?" Gamma
begins as beta. Once the opponent is not Alpha, it takes the opponent for one of two: a player whose habits are to be
learned, at first those of Alpha, or one that plays from beta's own tables. Which of them explains the opponent's
moves better decides, over the last hands.
"""

from collections.abc import Sequence
from math import log
from random import Random
from typing import ClassVar

from bots.strategies.beta import Beta
from bots.strategies.blockhead.action_memory import Memory
from bots.strategies.blockhead.best_answer import Exploit, Model
from bots.strategies.blockhead.habits import Habits, explained
from bots.strategies.blockhead.turn_numbers import MOVES, Sight, Spot

#: Limits of the logarithm of the odds: an opponent that changes is noticed after a few hands.
MOST_ODDS = 5.0
#: Taken off the logarithm for each raise of a size that the tables never make.
ODD_RAISE = 3.0
#: How often an opponent that plays from the tables is taken to do something else.
BLUR = 0.03
#: Added to likelihoods, since 0 has no logarithm.
TINY = 1e-9


class Blurred:
    """A model that is wrong now and then, so that no move is impossible."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def chances(self, spot: Spot) -> list[list[float]]:
        rows = self._model.chances(spot)
        return [[(1 - BLUR) * chance + BLUR / len(rows) for chance in row] for row in rows]


class Gamma(Beta):
    """One opponent, any number of games: what it learns lasts as long as it does. Variants are played as by beta."""

    default_in: ClassVar = {}
    level = "hard"
    source = "the house: beta, and the best answer to habits learned hand by hand"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._habits = Habits()
        self._tables = Blurred(self._balance)
        self._memory = Memory(self._reading, self._habits)
        # The logarithm of the odds that the opponent plays from the tables, and has no habits of its own.
        self._odds = 0.0
        self._unseen: list[int] = []

    def _learn(self, shown: int | None) -> None:
        """Weigh the two models by what the opponent did in the hand that is over, and count that."""
        weights: Sequence[float] = self._unseen if shown is None else [float(hole == shown) for hole in range(11)]
        habits = self._habits.explain(weights)
        tables = explained(self._tables, self._habits.events, weights)
        odd_raises = sum([move not in MOVES for _, move in self._habits.events])
        gain = log((sum(tables) + TINY) / (sum(habits) + TINY)) - ODD_RAISE * odd_raises
        self._odds = min(max(self._odds + gain, -MOST_ODDS), MOST_ODDS)
        self._habits.hand_over(habits)

    def _move(self, sight: Sight, weights: list[int]) -> int:
        self._unseen = sight.unseen()
        return super()._move(sight, weights)

    def _stranger(self, sight: Sight) -> int:
        model: Model = self._tables if self._odds > 0 else self._habits
        weights = explained(model, self._habits.events, self._unseen)
        values = Exploit(sight, weights, model, self._memory.before).values()
        return max(values, key=lambda move: values[move])
