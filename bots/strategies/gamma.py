"""``gamma``: counts how its opponent acts, hand by hand, and plays the best answer to that.

"If the domain information contained data about previous hands, could the AI make use of that information?" Gamma
begins as beta. Once the opponent is not Alpha, each hand is played either from the near-equilibrium or against the
habits counted so far, the latter more often the more hands were seen: nothing is risked on a few hands' evidence.
"""

from random import Random
from typing import ClassVar

from bots.strategies.beta import Beta
from bots.strategies.blockhead.action_memory import Memory
from bots.strategies.blockhead.alpha_reading import Reading
from bots.strategies.blockhead.best_answer import Exploit
from bots.strategies.blockhead.habits import Habits
from bots.strategies.blockhead.turn_numbers import Sight

#: After so many hands, half of them are played against the habits.
PATIENCE = 30


class Both:
    """Tells two watchers."""

    def __init__(self, reading: Reading, habits: Habits) -> None:
        self._watchers = reading, habits

    def new_hand(self) -> None:
        """A hand begins."""
        for watcher in self._watchers:
            watcher.new_hand()

    def saw(self, street: int, prior: int | None, pot: int, raises: int, diff: int, move: int) -> None:
        """The opponent moved."""
        for watcher in self._watchers:
            watcher.saw(street, prior, pot, raises, diff, move)


class Gamma(Beta):
    """One opponent, any number of games: what it learns lasts as long as it does. Variants are played as by beta."""

    default_in: ClassVar = {}
    level = "hard"
    source = "the house: beta, and habits counted hand by hand against strangers"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._habits = Habits()
        self._memory = Memory(Both(self._reading, self._habits))
        self._bold = False
        self._unseen: list[int] = []

    def _begin_hand(self, sight: Sight) -> None:
        """As beta, but a stranger's habits are used in some hands."""
        super()._begin_hand(sight)
        # A mixture for the whole hand, not for each move: habits are read over all streets of a hand.
        self._bold = self.rng.random() < self._habits.hands / (self._habits.hands + PATIENCE)

    def _learn(self, shown: int | None) -> None:
        """Count what the opponent did in the hand that is over."""
        if shown is None:
            self._habits.hand_over(self._habits.explain(self._unseen))
        else:
            self._habits.hand_over([float(hole == shown) for hole in range(11)])

    def _move(self, sight: Sight, weights: list[int]) -> int:
        self._unseen = sight.unseen()
        return super()._move(sight, weights)

    def _stranger(self, sight: Sight) -> int:
        if not self._bold:
            return super()._stranger(sight)
        values = Exploit(sight, self._habits.explain(self._unseen), self._habits).values()
        return max(values, key=lambda move: values[move])
