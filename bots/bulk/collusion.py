"""``casino collusion``: play a bulk tournament again, and print the evidence of players who cooperate."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import Progress as Bar

from bots.bulk.checkpoint import planned
from bots.bulk.compile import compile_all
from bots.bulk.evidence import Examination, all_corrected, facts, in_words
from bots.bulk.opening_test import LEAST_ROUNDS, MARGIN, Players, candidates, opening_tests
from bots.bulk.plan import BulkError, Plan

#: Is told what is done, and which part of it is finished, from 0 to 1.
Progress = Callable[[str, float], object]

#: Columns, where no terminal says how many.
PAGE = 120


def examine(plan: Plan, jobs: int, progress: Progress) -> Examination:
    """Look for players who harm themselves against one opponent because of its first moves.

    Args:
        plan: the tournament; its players are played again in up to so many processes.
        jobs: processes.
        progress: is told what is done.

    Raises:
        BulkError: the tournament is too short or too small, or cannot be played.
    """
    if len(plan.entrants) < 3:
        raise BulkError("with 2 players there is no usual play to compare with; a test needs 3 players")
    if plan.programs:
        raise BulkError("programs over TCP are not played again: they are too slow for so many tournaments")
    if plan.rounds < LEAST_ROUNDS:
        raise BulkError(f"a test needs {LEAST_ROUNDS:,} rounds, so that first moves are long past; got {plan.rounds:,}")
    progress("compiling", 0.0)
    with tempfile.TemporaryDirectory(prefix="casino-") as folder:
        players = Players(plan, compile_all(plan.entrants, Path(folder)), jobs)
        found = candidates(players, lambda done, total: progress("playing again", done / total))
        tests = opening_tests(players, found, lambda done, total: progress("with other first moves", done / total))
    names = tuple(entrant.name for entrant in plan.entrants)
    return Examination(names, players.rounds, MARGIN, all_corrected(tests))


def examine_file(path: Path, level: float, jobs: int, as_json: bool) -> bool:
    """Examine the tournament of a checkpoint, print what was found, and return whether it is evidence.

    Raises:
        BulkError: the file is no checkpoint, or see ``examine``.
    """
    if not 0 < level < 1:
        raise BulkError(f"--level is a probability between 0 and 1, got {level:g}")
    plan = planned(path)
    with _bar() as progress:
        found = examine(plan, jobs, progress)
    if as_json:
        print(json.dumps(facts(found, level), indent=2))
    else:
        console = Console()
        (console if console.is_terminal else Console(width=PAGE)).print(in_words(found, level))
    return bool(found.named(level))


@contextmanager
def _bar() -> Iterator[Progress]:
    """A progress bar on standard error, on a terminal only."""
    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=1.0)

        def show(what: str, part: float) -> None:
            bar.update(task, description=what, completed=part)

        yield show
