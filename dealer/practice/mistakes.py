"""The habits of a program that cost it most: decisions of one kind that the teacher would have taken differently.

Decisions are of one kind where the situation, the action and the teacher's action are the same. A program that loses
often loses a little many times, so a kind counts by all its decisions together. In each, some are drawn and played
again; a decision in a large pot is drawn more often, since it varies more.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from operator import sub
from random import Random
from statistics import fmean
from typing import NamedTuple

from dealer.audit.decision_value.deals import Company, Redeal
from dealer.audit.decision_value.rollouts import FINALISTS, chips_by_deal, dearest, most_at_stake
from dealer.audit.decision_value.situation import Situation
from dealer.cli.processes import open_processes
from dealer.practice.practice_session import Difference
from protocol.estimates.intervals import CONFIDENCE, Estimate, mean
from protocol.games.base import Action, Bet

#: Habits that are reported, at most.
SHOWN = 3


#: Hole cards of an opponent that are weighed, at most. With few of them, those that it would have raised with are often
#: missing, and a call looks better than it is. In stud 48 are all.
HOLDINGS = 48


class Effort(NamedTuple):
    """How well habits are measured.

    Attributes:
        decisions: how many are drawn of all habits together, in proportion to their pots: what the figures of large
            ones leave open is most.
        least: of each habit.
        deals: of each decision that is drawn.
    """

    decisions: int
    least: int
    deals: int

    def draws(self, part: float, effort: float) -> int:
        """How many decisions are drawn of a habit with this part of all pots, with ``GamePractice.effort``."""
        return max(round(self.least * sqrt(effort)), round(self.decisions * effort * part))


#: The first measurement, and the second.
EFFORTS = {"rough": Effort(200, 4, 4), "good": Effort(700, 20, 8)}

#: The confidence of each interval, so that all ``FINALISTS`` hold together with the usual confidence (Bonferroni).
TOGETHER = 1 - (1 - CONFIDENCE) / FINALISTS

#: Worker processes, at most.
JOBS = 8

#: Called with the number of measurements that are done, and of all.
OnProgress = Callable[[int, int], None]


class Habit(NamedTuple):
    """What decisions of one kind have in common.

    Attributes:
        street: on which the program was asked.
        situations: that the question showed, in words.
        did: what the program did, in a word.
        better: what the teacher does, in a word.
    """

    street: int
    situations: tuple[str, ...]
    did: str
    better: str

    @classmethod
    def of(cls, difference: Difference) -> "Habit":
        """The habit that a decision belongs to."""
        did, better, turn = difference.did, difference.better, difference.turn
        words = _word(did, turn.owed), _word(better, turn.owed)
        if words == ("raise", "raise"):
            assert isinstance(did, Bet)
            assert isinstance(better, Bet)
            words = ("raise less", "raise more") if did.amount < better.amount else ("raise more", "raise less")
        return cls(turn.street, difference.situations, *words)


def _word(action: Action, owed: int) -> str:
    if not isinstance(action, Bet):
        return "fold"
    if action.amount > owed:
        return "raise" if owed else "bet"
    return "call" if owed else "check"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A habit that lost chips, compared with what the teacher does.

    Attributes:
        habit: what the decisions have in common.
        times: how often the program decided so.
        cost: chips that each decision lost on average; none is said to lose more than was at stake.
        example: one of the decisions that seem dearest.
        rollouts: number of deals from which the cost was estimated.
    """

    habit: Habit
    times: int
    cost: Estimate
    example: Difference
    rollouts: int


class Task(NamedTuple):
    """Measurements of one decision, as a worker process is told.

    Attributes:
        situation: what the program knew.
        players: the bots that play on, by seat.
        did: the program's action.
        better: the teacher's action.
        chance: the text from which all cards are drawn.
        times: how many measurements.
        deals: of each measurement.
    """

    situation: Situation
    players: Sequence[Sequence[str]]
    did: Action
    better: Action
    chance: str
    times: int
    deals: int


def losses(task: Task) -> list[float]:
    """How many chips more the teacher's action wins, in each measurement.

    Raises:
        LookupError: a bot is not installed.
    """
    situation, rng = task.situation, Random(task.chance)
    company = Company.load(situation, task.players, HOLDINGS)
    most = most_at_stake(situation, task.did, task.better)

    # measurements share the weights of hole cards only where those do not depend on which cards are weighed
    calls = 1 if Redeal(situation).weighs_all(HOLDINGS) else task.times
    gains: list[float] = []
    for _ in range(calls):
        deals = task.times * task.deals // calls
        better, did = chips_by_deal(situation, company, (task.better, task.did), deals, rng)
        gains += map(sub, better, did)
    return [min(fmean(gains[first : first + task.deals]), most) for first in range(0, len(gains), task.deals)]


def most_expensive(
    differences: Sequence[Difference], seed: str, on_progress: OnProgress, effort: float = 1.0
) -> list[Mistake]:
    """Up to three habits that lost chips beyond chance, the one that lost most in all first.

    The same differences and seed always give the same result, with any number of worker processes. For ``effort`` see
    ``GamePractice``.
    """
    kinds: defaultdict[Habit, list[Difference]] = defaultdict(list)
    for difference in differences:
        kinds[Habit.of(difference)].append(difference)
    with open_processes(min(len(differences), JOBS, os.cpu_count() or 1)) as each:

        def measure(habits: Sequence[Habit], look: str) -> Iterator[Mistake]:
            pots = [sum(decision.turn.pot for decision in kinds[habit]) for habit in habits]
            plans = [
                _tasks(
                    kinds[habit],
                    f"{seed}/{look}/{habit}",
                    EFFORTS[look].draws(pot / sum(pots), effort),
                    EFFORTS[look].deals,
                )
                for habit, pot in zip(habits, pots, strict=True)
            ]
            results = each(losses, [task for plan in plans for task in plan.values()])
            for habit, plan in zip(habits, plans, strict=True):
                yield _mistake(habit, kinds[habit], plan, [next(results) for _ in plan])

        found = dearest(list(kinds), measure, lambda mistake: mistake.cost.value * mistake.times, on_progress)
    return [mistake for mistake in found if mistake.cost.low > 0][:SHOWN]


def _tasks(decisions: Sequence[Difference], chance: str, draws: int, deals: int) -> dict[int, Task]:
    """Decisions drawn by chance, by their place; what is drawn twice is measured twice."""
    pots = [decision.turn.pot for decision in decisions]
    drawn = Counter(Random(chance).choices(range(len(decisions)), pots, k=draws))
    tasks = {}
    for place, times in sorted(drawn.items()):
        one = decisions[place]
        tasks[place] = Task(one.situation(), one.players, one.did, one.better, f"{chance}/{place}", times, deals)
    return tasks


def _mistake(
    habit: Habit, decisions: Sequence[Difference], plan: Mapping[int, Task], lost: Sequence[Sequence[float]]
) -> Mistake:
    """The mean loss of a decision: a decision was drawn by its pot, so losses are averaged as parts of the pot."""
    found = dict(zip(plan, lost, strict=True))
    parts = [loss / decisions[place].turn.pot for place, measured in found.items() for loss in measured]
    cost = mean(parts, TOGETHER)
    assert cost is not None, "a habit without decisions"
    pot = fmean(decision.turn.pot for decision in decisions)
    example = decisions[max(found, key=lambda place: fmean(found[place]))]
    rollouts = sum(task.times * task.deals for task in plan.values())
    return Mistake(habit, len(decisions), cost.scaled(pot), example, rollouts)
