"""The most expensive of all decisions that the teacher would have taken differently.

Hundreds of decisions cannot be measured well in a few seconds. So the ones with the largest pots are measured roughly,
those that look the worst are measured again with fresh cards, and only the second measurement counts: it finds bad
decisions, not those that had bad luck in the first.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from dealer.cli.processes import open_processes
from dealer.practice.practice_session import Difference
from dealer.practice.rollouts import Effort, RollOut, Task, roll_out
from protocol.estimates.intervals import CONFIDENCE, Estimate, apart, mean
from protocol.games.pot import at_stake, within_reach

#: Decisions that are measured roughly.
CANDIDATES = 24

#: Decisions that are measured again.
FINALISTS = 6

#: Mistakes that are reported, at most.
SHOWN = 3

#: The effort of the first measurement, and that of the second.
ROUGH = Effort(5, 40, 100)
GOOD = Effort(30, 400, 1500)

#: The confidence of each interval, so that all ``FINALISTS`` hold together with the usual confidence (Bonferroni).
TOGETHER = 1 - (1 - CONFIDENCE) / FINALISTS

#: Worker processes, at most.
JOBS = 8

#: Called with the number of measurements that are done, and of all.
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that was worse than the teacher's.

    Attributes:
        difference: the decision.
        cost: chips that it lost on average, compared with the teacher's action; at most what was at stake.
        rollouts: number of roll-outs from which the cost was estimated.
    """

    difference: Difference
    cost: Estimate
    rollouts: int


def most_expensive(game: str, differences: Sequence[Difference], seed: str, on_progress: OnProgress) -> list[Mistake]:
    """Up to three decisions that lost chips beyond chance, the most expensive first.

    The same differences and seed always give the same result, with any number of worker processes.
    """
    candidates = sorted(differences, key=lambda difference: -difference.turn.pot)[:CANDIDATES]
    with open_processes(min(len(candidates), JOBS, os.cpu_count() or 1)) as each:

        def measured(chosen: Sequence[Difference], chance: str, effort: Effort, before: int) -> list[list[RollOut]]:
            tasks = [
                Task(game, difference.spot, f"{seed}/{chance}/{place}", effort)
                for place, difference in enumerate(chosen)
            ]
            results = []
            for played in each(roll_out, tasks):
                results.append(played)
                on_progress(before + len(results), len(candidates) + min(FINALISTS, len(candidates)))
            return results

        roughly = measured(candidates, "rough", ROUGH, 0)
        finalists = _worst_of_hands(candidates, roughly)
        exactly = measured(finalists, "good", GOOD, len(candidates))
    mistakes = [mistake for pair in zip(finalists, exactly, strict=True) if (mistake := _mistake(*pair))]
    return sorted(mistakes, key=lambda mistake: -mistake.cost.value)[:SHOWN]


def _worst_of_hands(candidates: Sequence[Difference], played: Sequence[Sequence[RollOut]]) -> list[Difference]:
    """Those that look the worst; only one of each hand, since what follows a mistake is often part of it."""
    order = sorted(range(len(candidates)), key=lambda place: -fmean(result.gain for result in played[place]))
    worst: dict[tuple[int, int], Difference] = {}
    for difference in (candidates[place] for place in order):
        worst.setdefault((difference.table, difference.hand), difference)
    return list(worst.values())[:FINALISTS]


def _mistake(difference: Difference, played: Sequence[RollOut]) -> Mistake | None:
    """The mistake with its cost; None if the loss may be chance, also where the two actions have won about as much."""
    cost = mean([result.gain for result in played], TOGETHER)
    if cost is None or cost.low <= 0 or not apart(*zip(*played, strict=True)):
        return None
    spot, turn = difference.spot, difference.turn
    most = at_stake(turn.pot, within_reach(spot.hand, spot.seat), spot.did, spot.better)
    return Mistake(difference, Estimate(*(min(chips, most) for chips in cost)), len(played))
