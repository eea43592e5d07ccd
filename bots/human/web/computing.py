"""Compute what a person asks for in a process of its own, so that no table waits for it.

In a thread it would hold the interpreter from the dealer's event loop for milliseconds at a time.
"""

import pickle
import sys
from collections.abc import Callable
from random import Random
from typing import Any, Literal

import trio

from bots.human.coach.advice import Advice, advise
from bots.human.coach.situation import Situation
from bots.human.game_seat import load_seat
from bots.human.odds import Chances
from bots.human.updates import Spot
from bots.strategy import StrategyError

Task = Literal["chances", "advice"]


async def count_chances(spot: Spot, processes: trio.CapacityLimiter) -> Chances | None:
    """The person's chances; None if the process failed, which its messages on standard error explain."""
    chances: Chances | None = await _compute(processes, "chances", spot)
    return chances


async def find_advice(situation: Situation, seed: str, processes: trio.CapacityLimiter) -> Advice | str | None:
    """The coach's advice, or in words why there is none; None if the process failed."""
    advice: Advice | str | None = await _compute(processes, "advice", situation, seed)
    return advice


async def _compute(processes: trio.CapacityLimiter, task: Task, *facts: Any) -> Any:
    command = [sys.executable, "-m", "bots.human.web.computing", task]
    async with processes:
        done = await trio.run_process(command, stdin=pickle.dumps(facts), capture_stdout=True, check=False)
    return None if done.returncode else pickle.loads(done.stdout)


def _chances(spot: Spot) -> Chances:
    return load_seat(spot.game.name).chances(spot, Random())


def _advice(situation: Situation, seed: str) -> Advice | str:
    try:
        return advise(situation, seed)
    except (StrategyError, LookupError) as error:
        return f"The coach has no advice: {error}"


def main() -> None:
    """Read the facts of a task, compute, and write what comes out; both pickled."""
    tasks: dict[str, Callable[..., object]] = {"chances": _chances, "advice": _advice}
    pickle.dump(tasks[sys.argv[1]](*pickle.load(sys.stdin.buffer)), sys.stdout.buffer)


if __name__ == "__main__":
    main()
