"""Measure steps a second of the environments on one core: ``python -m tests.bots.environments.speed``.

A step is one action at one table. Legal actions are chosen at random, which costs time of its own in compiled tables;
the last column leaves it out, with every table calling. Times are of the processor, so other programs disturb little.
"""

import argparse
from collections.abc import Callable
from time import process_time

import numpy as np
from rich.console import Console

from bots.environments.aec import TableEnv
from bots.environments.encoding import CALL_ACTION
from bots.environments.single import SeatEnv
from bots.environments.vector import GAMES, VectorTables
from dealer.cli.tables import new_table
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


def measure(game: str, seconds: float) -> dict[str, str | float | None]:
    """The rates of one game; None where it has no compiled tables."""
    compiled = game in GAMES
    return {
        "game": game,
        "pettingzoo": aec_rate(game, seconds),
        "gymnasium": seat_rate(game, seconds),
        "compiled_random": vector_rate(game, seconds, at_random=True) if compiled else None,
        "compiled_calls": vector_rate(game, seconds, at_random=False) if compiled else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bots.environments.speed", description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each measurement takes (2)")
    given = parser.parse_args()
    if given.seconds <= 0:
        parser.error(f"expected a time above 0, got {given.seconds:g}")
    with Console(stderr=True).status("measuring") as status:
        rows = []
        for game in game_names():
            status.update(f"measuring {game}")
            rows.append(measure(game, given.seconds))
    table = new_table("Steps a second on one core")
    for heading in ("Game", "PettingZoo", "Gymnasium", "Compiled, at random", "Compiled, calls"):
        table.add_column(heading, justify="left" if heading == "Game" else "right")
    for row in rows:
        table.add_row(*[f"{value:,.0f}" if isinstance(value, float) else value or "-" for value in row.values()])
    Console().print(table)


if __name__ == "__main__":
    main()
