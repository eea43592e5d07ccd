"""Learn to beat ``caller`` on the CPU, and write a bot: ``python -m bots.environments.example stud.npz``.

Plays about a million hands at compiled tables, measures what was learned by the rules themselves, and saves it. Then
``casino bot stud.npz HOST PORT`` sits down at a dealer's table.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from threadpoolctl import threadpool_limits

from bots.arena import play_hands
from bots.environments.encoding import CALL_ACTION, FOLD_ACTION, Floats
from bots.environments.learned import load_learned, save_learned
from bots.environments.network import Network, Trainer
from bots.environments.vector import GAMES, VectorTables
from bots.strategies.caller import Caller
from bots.strategy import Strategy
from protocol.estimates.intervals import Estimate, mean
from protocol.games.registry import load_game
from protocol.shuffle import seed_from_text

STEPS = 1000
DEALS = 5000


def learn(file: Path, game: str, steps: int, seed: int, show: bool) -> None:
    """Learn by so many steps at all tables, and save what was learned."""
    learner = Learner(game, seed)
    learning = track(
        learner.learn(steps), "learning", steps, console=Console(stderr=True), transient=True, disable=not show
    )
    # Products of matrices this small gain nothing from more threads, which wait for each other on a busy machine.
    with threadpool_limits(1):
        for _ in learning:
            pass
    save_learned(file, game, 2, learner.network)


def measure(file: Path, game: str, deals: int, seed: str, show: bool) -> Estimate:
    """Chips a hand that the bot in ``file`` wins from ``caller``, by the rules: each deal is played in both seats.

    Args:
        show: whether a bar shows the progress.
    """
    agreed = load_game(game)()
    bots: list[Strategy] = [load_learned(str(file))(Random(0)), Caller(Random(0))]
    won = []
    console = Console(stderr=True)
    for deal in track(range(1, deals + 1), "measuring", console=console, transient=True, disable=not show):
        chips = 0
        for seat in range(2):
            seats = bots if seat == 0 else bots[::-1]
            (hand,) = play_hands(agreed, seats, seed_from_text(seed), 1, reset_stacks=True, first=deal)
            chips += hand.settlement.payoffs[seat]
        won.append(chips / 2)
    found = mean(won)
    assert found is not None
    return found


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

    Monte Carlo control: it mostly takes the action that its network thinks worth most, sometimes any other, and the
    network learns what hands brought in chips after each action (Sutton and Barto, Reinforcement Learning, chapter 5).

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


def main() -> None:
    """Learn, save, measure, and print the result."""
    parser = argparse.ArgumentParser(prog="python -m bots.environments.example", description=__doc__)
    parser.add_argument("file", type=Path, help="where to save the bot; its name ends in .npz")
    parser.add_argument("--game", choices=GAMES, default="stud")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"steps at all tables ({STEPS})")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"deals to measure, each in both seats ({DEALS})")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (1)")
    given = parser.parse_args()
    if given.file.suffix != ".npz":
        parser.error(f"the name of the file ends in .npz, got {given.file}")
    if not given.file.parent.is_dir():
        parser.error(f"there is no folder {given.file.parent}")
    if min(given.steps, given.deals - 1) < 1:
        parser.error("expected at least one step and two deals")
    show = sys.stderr.isatty()
    started = time.perf_counter()
    try:
        learn(given.file, given.game, given.steps, given.seed, show)
    except OSError as error:
        parser.error(f"{given.file} cannot be written: {error.strerror}")
    seconds = time.perf_counter() - started
    won = measure(given.file, given.game, given.deals, f"measured {given.seed}", show)
    print(f"{given.file}: learned {given.game} in {seconds:.0f} s")
    print(f"wins {won.value:.2f} chips a hand from caller (95 %: {won.low:.2f} to {won.high:.2f}, {given.deals} deals)")


if __name__ == "__main__":
    main()
