"""The most expensive of all decisions that the house's best player would have taken otherwise.

Hundreds of decisions cannot be measured well in a few seconds. So the ones with the most in the pot are measured
roughly, those that look the worst are measured again with fresh cards, and only what comes out then is told: a bad
decision, not one that had bad luck in the first measurement.
"""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import fmean
from typing import Protocol

from dealer.practice.analysis import Difference
from dealer.practice.rollouts import Effort, Task, roll_out
from estimates.intervals import CONFIDENCE, Estimate, mean

CANDIDATES = 24
"""Decisions that are measured roughly."""

FINALISTS = 6
"""Decisions that are measured again."""

SHOWN = 3

ROUGH = Effort(5, 40, 100)
GOOD = Effort(30, 400, 1500)

TOGETHER = 1 - (1 - CONFIDENCE) / FINALISTS
"""The confidence of one interval of which all ``FINALISTS`` hold together 95 times in a hundred (Bonferroni)."""

JOBS = 8
"""Processes that are worth starting, at most."""

OnProgress = Callable[[int, int], None]
"""Told how many of how many measurements are made."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that was worse than another.

    Attributes:
        difference: what it was.
        cost: chips that it lost on average, against what the house's best player would have done.
        rollouts: from which that is known.
    """

    difference: Difference
    cost: Estimate
    rollouts: int


def most_expensive(differences: Sequence[Difference], seed: str, on_progress: OnProgress) -> list[Mistake]:
    """Up to three decisions that certainly lost chips, the most expensive first.

    The same differences and seed always give the same, however many processes share the work.
    """
    candidates = sorted(differences, key=lambda difference: -difference.turn.pot)[:CANDIDATES]
    with _workers(len(candidates)) as each:

        def measured(chosen: Sequence[Difference], chance: str, effort: Effort, before: int) -> list[list[int]]:
            tasks = [
                Task(difference.spot, f"{seed}/{chance}/{place}", effort) for place, difference in enumerate(chosen)
            ]
            results = []
            for gains in each(roll_out, tasks):
                results.append(gains)
                on_progress(before + len(results), len(candidates) + min(FINALISTS, len(candidates)))
            return results

        roughly = measured(candidates, "rough", ROUGH, 0)
        finalists = _worst_of_hands(candidates, roughly)
        exactly = measured(finalists, "good", GOOD, len(candidates))
    mistakes = [mistake for pair in zip(finalists, exactly, strict=True) if (mistake := _mistake(*pair))]
    return sorted(mistakes, key=lambda mistake: -mistake.cost.value)[:SHOWN]


def _worst_of_hands(candidates: Sequence[Difference], gains: Sequence[Sequence[int]]) -> list[Difference]:
    """Those that look the worst; of one hand only one, for what follows a mistake is often part of it."""
    order = sorted(range(len(candidates)), key=lambda place: -fmean(gains[place]))
    worst: dict[tuple[int, int], Difference] = {}
    for difference in (candidates[place] for place in order):
        worst.setdefault((difference.table, difference.hand), difference)
    return list(worst.values())[:FINALISTS]


class _Map(Protocol):
    """What ``map`` does, wherever it does it."""

    def __call__(self, work: Callable[[Task], list[int]], tasks: Iterable[Task], /) -> Iterable[list[int]]:
        """The result of each task, in their order."""


@contextmanager
def _workers(tasks: int) -> Iterator[_Map]:
    """As many processes as there are cores to use, or none but this one where that is as good."""
    jobs = min(tasks, JOBS, os.cpu_count() or 1)
    if jobs <= 1:
        yield map
        return
    with get_context("spawn").Pool(jobs, _leave_interrupts_to_the_parent) as pool:
        yield pool.imap


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _mistake(difference: Difference, gains: Sequence[int]) -> Mistake | None:
    """What was found; None if it may have been chance."""
    cost = mean(gains, TOGETHER)
    if cost is None or cost.low <= 0:
        return None
    return Mistake(difference, cost, len(gains))
