"""Steps a second of the environments on one core: ``pytest -m heavy -s`` prints them.

A step is one action at one table. Legal actions are chosen at random, which costs time of its own in compiled tables;
the last figure leaves it out, with every table calling. Times are of the processor, so other programs disturb little.
"""

from collections.abc import Callable
from time import process_time

import numpy as np
import pytest

from bots.environments.aec import TableEnv
from bots.environments.encoding import CALL_ACTION
from bots.environments.single import SeatEnv
from bots.environments.vector import GAMES, VectorTables
from protocol.games.registry import game_names

TABLES = 4096


def rate(step: Callable[[], int], seconds: float) -> float:
    """Steps a second of processor time, after a first call that may compile."""
    step()
    start, steps = process_time(), 0
    while (passed := process_time() - start) < seconds:
        steps += step()
    return steps / passed


def aec_rate(game: str, seconds: float) -> float:
    """Steps a second of the PettingZoo environment."""
    env, chance = TableEnv(game), np.random.default_rng(1)

    def episode() -> int:
        env.reset()
        steps = 0
        while not env.terminations[env.agent_selection]:
            _, _, _, _, info = env.last()
            env.step(int(chance.choice(np.flatnonzero(info["action_mask"]))))
            steps += 1
        return steps

    return rate(episode, seconds)


def seat_rate(game: str, seconds: float) -> float:
    """Steps a second of the Gymnasium environment, against ``caller``."""
    env, chance = SeatEnv(game), np.random.default_rng(1)

    def episode() -> int:
        _, info = env.reset()
        steps, over = 0, False
        while not over:
            _, _, over, _, info = env.step(int(chance.choice(np.flatnonzero(info["action_mask"]))))
            steps += 1
        return steps

    return rate(episode, seconds)


def vector_rate(game: str, seconds: float, *, at_random: bool) -> float:
    """Steps a second of compiled tables."""
    tables, chance = VectorTables(game, TABLES, 1), np.random.default_rng(1)
    calls = np.full(TABLES, CALL_ACTION)

    def step() -> int:
        masks = tables.masks
        tables.step((masks * chance.random(masks.shape, np.float32)).argmax(axis=1) if at_random else calls)
        return TABLES

    return rate(step, seconds)


@pytest.mark.parametrize("seconds", [0.001, pytest.param(2.0, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("game", game_names())
def test_steps_a_second(game: str, seconds: float) -> None:
    rates = [aec_rate(game, seconds), seat_rate(game, seconds)]
    if game in GAMES:
        rates += [vector_rate(game, seconds, at_random=at_random) for at_random in (True, False)]
    print(game, "PettingZoo, Gymnasium, compiled at random and with calls:", *[f"{rate:,.0f}" for rate in rates])
    assert min(rates) > 0
