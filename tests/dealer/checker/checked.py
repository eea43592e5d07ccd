"""Check real programs from within a test."""

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import trio

from dealer.checker.check import examine_program
from dealer.checker.check_flags import CheckFlags
from dealer.checker.output.check_report import Results
from dealer.checker.scoring.verdict import LineVerdict
from tests.patience import PATIENCE

PROGRAMS = Path(__file__).parents[2] / "bad_bots" / "programs.py"
JAVA = Path(__file__).parents[2] / "bad_bots" / "java"
WHERE = ("{host}", "{port}")


async def examined(game: str, command: Sequence[str], **flags: Any) -> Results:
    with trio.fail_after(PATIENCE):
        return await examine_program(game, command, CheckFlags(**{"hands": 40, **flags}))


async def all_at_once(checks: Mapping[str, Callable[[], Awaitable[None]]], at_a_time: int = 5) -> None:
    """Run checks side by side, since they mostly wait; the error of one that fails has its name."""
    limiter = trio.CapacityLimiter(at_a_time)

    async def make(name: str, check: Callable[[], Awaitable[None]]) -> None:
        async with limiter:
            try:
                await check()
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from error

    async with trio.open_nursery() as nursery:
        for name, check in checks.items():
            nursery.start_soon(make, name, check)


def program(name: str, *more: str) -> list[str]:
    """The command that starts one of ``tests/bad_bots/programs.py``."""
    return [sys.executable, str(PROGRAMS), name, *WHERE, *more]


def line(results: Results, id: str) -> LineVerdict:
    (found,) = (verdict for verdict in results.verdict.lines if verdict.line.id == id)
    return found


def compliance(results: Results) -> list[LineVerdict]:
    """The verdicts on the lines that hold for every game."""
    return [verdict for verdict in results.verdict.lines if not verdict.line.play]


def failed(results: Results) -> set[str]:
    """The lines of compliance that failed."""
    return {str(verdict.line.id) for verdict in compliance(results) if verdict.verdict == "failed"}


def missed(results: Results) -> set[str]:
    """The lines of compliance that did not pass."""
    return {str(verdict.line.id) for verdict in compliance(results) if verdict.verdict != "passed"}
