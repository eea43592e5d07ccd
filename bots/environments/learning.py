"""Learn what actions are worth against an opponent that calls, from hands played at compiled tables.

Monte Carlo control: the learner mostly takes the action that its network thinks worth most, sometimes any other, and
the network learns what hands brought in chips after each action (Sutton and Barto, Reinforcement Learning, chapter
5).
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bots.environments.encoding import CALL_ACTION, FOLD_ACTION, Floats
from bots.environments.network import Network, Trainer
from bots.environments.vector import VectorTables

TABLES = 2048
UNITS = 128
#: Decisions of one hand that are learned from; further ones are played only.
MOST_DECISIONS = 6
#: How often any action is tried, at first and at the end.
EXPLORE = (0.5, 0.05)
#: How fast the network learns, at first and at the end.
RATES = (2e-3, 1e-4)
#: Chips that count as 1 for the network.
UNIT = 10.0


def call(masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """What ``caller`` does at each table: it calls, or folds where that is not legal."""
    return np.where(masks[:, CALL_ACTION], CALL_ACTION, FOLD_ACTION)


class Learner:
    """A learner at many tables, in each seat at half of them, against ``caller``.

    Args:
        game: one of the games with compiled tables.
        seed: all chance follows from it.

    Raises:
        ValueError: there are no such tables.
    """

    def __init__(self, game: str, seed: int) -> None:
        self._tables = VectorTables(game, TABLES, seed)
        self._chance = np.random.default_rng(seed)
        #: The tables' first seats to act alternate, so that pairs of tables have the learner in the same seat.
        self._seats = np.arange(TABLES) // 2 % 2
        size, actions = self._tables.observations.shape[1], self._tables.masks.shape[1]
        self._observations = np.zeros((TABLES, MOST_DECISIONS, size), np.float32)
        self._actions = np.zeros((TABLES, MOST_DECISIONS), np.int64)
        self._decisions = np.zeros(TABLES, np.int64)
        self.network = Network.new(self._scale(), UNITS, actions, self._chance)
        self._trainer = Trainer(self.network, RATES[0])

    def _scale(self) -> Floats:
        """The largest number of each place of an observation in some hands of random play, at least 1."""
        most = np.ones(self._tables.observations.shape[1], np.float32)
        for _ in range(50):
            np.maximum(most, np.abs(self._tables.observations).max(axis=0), out=most)
            self._tables.step(self._any())
        return most

    def _any(self) -> NDArray[np.int64]:
        """Any legal action at each table, all as likely."""
        masks = self._tables.masks
        any_action: NDArray[np.int64] = (masks * self._chance.random(masks.shape, np.float32)).argmax(axis=1)
        return any_action

    def learn(self, steps: int) -> Iterator[None]:
        """Play so many steps at every table and learn from them; the iterator gives way after each."""
        self._tables.reset()
        self._decisions[:] = 0
        for step in range(steps):
            done = step / steps
            self._trainer.rate = RATES[0] * (RATES[1] / RATES[0]) ** done
            self._step(EXPLORE[0] + (EXPLORE[1] - EXPLORE[0]) * done)
            yield

    def _step(self, explore: float) -> None:
        tables = self._tables
        own = tables.to_act == self._seats
        actions = call(tables.masks)
        wanted = self.network.best(tables.observations[own], tables.masks[own])
        tries = self._chance.random(len(wanted)) < explore
        actions[own] = np.where(tries, self._any()[own], wanted)
        self._remember(np.flatnonzero(own & (self._decisions < MOST_DECISIONS)), actions)
        _, _, payoffs, ended = tables.step(actions)
        self._improve(np.flatnonzero(ended), payoffs)

    def _remember(self, at: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Keep what was decided at some tables until their hands end."""
        place = self._decisions[at]
        self._observations[at, place] = self._tables.observations[at]
        self._actions[at, place] = actions[at]
        self._decisions[at] += 1

    def _improve(self, ended: NDArray[np.int64], payoffs: Floats) -> None:
        """Learn from the hands that have ended at some tables."""
        decided = np.arange(MOST_DECISIONS) < self._decisions[ended, None]
        row, place = np.nonzero(decided)
        at = ended[row]
        self._decisions[ended] = 0
        if len(at):
            worth = payoffs[at, self._seats[at]] / UNIT
            self._trainer.improve(self._observations[at, place], self._actions[at, place], worth)
