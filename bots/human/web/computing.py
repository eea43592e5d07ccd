"""Compute what a person asks for in a process of its own, so that no table waits for it.

In a thread it would hold the interpreter from the dealer's event loop for milliseconds at a time.
"""

import json
import pickle
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from random import Random
from subprocess import PIPE
from typing import Any, Literal

import trio

from bots.human.coach.advice import Advice, advise
from bots.human.coach.review import Decision, review, review_lines
from bots.human.game_seat import load_seat
from bots.human.odds import Chances, Spot
from bots.strategy import StrategyError
from dealer.audit.decision_value.situation import Situation

Task = Literal["chances", "advice", "review"]


async def count_chances(spot: Spot, processes: trio.CapacityLimiter) -> Chances | None:
    """The person's chances; None if the process failed, which its messages on standard error explain."""
    chances: Chances | None = await _compute(processes, "chances", spot)
    return chances


async def find_advice(situation: Situation, seed: str, processes: trio.CapacityLimiter) -> Advice | str | None:
    """The coach's advice, or in words why there is none; None if the process failed."""
    advice: Advice | str | None = await _compute(processes, "advice", situation, seed)
    return advice


async def find_dearest(
    decisions: Sequence[Decision], seed: str, processes: trio.CapacityLimiter, progress: Callable[[int, int], object]
) -> list[str] | None:
    """The review of a session in lines, as ``review_lines`` has them; None if the process failed.

    It takes a quarter of a second for each decision.

    Args:
        processes: how many may compute at once.
        progress: told how many looks are done, and how many there are.
    """
    async with processes, trio.open_nursery() as nursery:
        process: trio.Process = await nursery.start(
            partial(
                trio.run_process, _command("review"), stdin=pickle.dumps((decisions, seed)), stdout=PIPE, check=False
            )
        )
        assert process.stdout is not None
        return await _hear_review(process.stdout, progress)
    return None


async def _hear_review(pipe: trio.abc.ReceiveStream, progress: Callable[[int, int], object]) -> list[str] | None:
    """Read lines of JSON: how far the review is, and at last its sentences."""
    lines: list[str] | None = None
    async for line in _lines(pipe):
        match json.loads(line):
            case {"done": done, "looks": looks}:
                progress(done, looks)
            case {"dearest": dearest}:
                lines = dearest
    return lines


async def _lines(pipe: trio.abc.ReceiveStream) -> AsyncIterator[bytes]:
    waiting = b""
    async for data in pipe:
        *lines, waiting = (waiting + data).split(b"\n")
        for line in lines:
            yield line


def _command(task: Task) -> list[str]:
    return [sys.executable, "-P", "-m", "bots.human.web.computing", task]


async def _compute(processes: trio.CapacityLimiter, task: Task, *facts: Any) -> Any:
    async with processes:
        done = await trio.run_process(_command(task), stdin=pickle.dumps(facts), capture_stdout=True, check=False)
    return None if done.returncode else pickle.loads(done.stdout)


def _chances(spot: Spot) -> Chances:
    return load_seat(spot.game.name).chances(spot, Random())


def _advice(situation: Situation, seed: str) -> Advice | str:
    try:
        return advise(situation, seed)
    except (StrategyError, LookupError) as error:
        return f"The coach has no advice: {error}"


def _review(decisions: Sequence[Decision], seed: str) -> None:
    """Print how far the review is, and at last its sentences, as lines of JSON."""
    try:
        lines = review_lines(review(decisions, seed, lambda done, looks: _say({"done": done, "looks": looks})))
    except (StrategyError, LookupError) as error:
        lines = [f"The review is not possible: {error}"]
    _say({"dearest": lines})


def _say(facts: Mapping[str, object]) -> None:
    print(json.dumps(facts), flush=True)


def main() -> None:
    """Read the facts of a task, pickled; compute, and write what comes out: pickled, or for a review as lines."""
    facts = pickle.load(sys.stdin.buffer)
    if sys.argv[1] == "review":
        _review(*facts)
    else:
        tasks: dict[str, Callable[..., object]] = {"chances": _chances, "advice": _advice}
        pickle.dump(tasks[sys.argv[1]](*facts), sys.stdout.buffer)


if __name__ == "__main__":
    main()
