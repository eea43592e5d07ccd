"""Measure contestants in turns in one process, by processor time."""

import gc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time

from bots.simulation.plan import with_progress
from tests.bots.compared.contest import Contestant

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Measured:
    """What a contestant reached.

    Attributes:
        contestant: who.
        hands: in each turn.
        rates: hands a second of processor time, by turn.
        decisions: in a hand on average; None where the library does not say.
    """

    contestant: Contestant
    hands: int
    rates: tuple[float, ...]
    decisions: float | None

    @property
    def rate(self) -> float:
        """The median of the rates."""
        return median(self.rates)


def measure(
    contestants: Sequence[Contestant], turns: int, seconds: float, clock: Clock = process_time
) -> list[Measured]:
    """Let everybody play once in each turn, after a warm-up.

    Args:
        contestants: who plays.
        turns: how often.
        seconds: of processor time, for each contestant in each turn, about.
        clock: what counts processor time, in seconds.
    """
    hands = [warm_up(one.run, seconds, clock) for one in with_progress(contestants, "warming up", len(contestants))]
    rates: list[list[float]] = [[] for _ in contestants]
    decisions: list[list[int | None]] = [[] for _ in contestants]
    steps = [place for _ in range(turns) for place in range(len(contestants))]
    for place in with_progress(steps, "measuring", len(steps)):
        gc.collect()  # so that nobody pays for what others have left behind
        passed, made = timed(contestants[place].run, hands[place], clock)
        rates[place].append(hands[place] / passed)
        decisions[place].append(made)
    return [
        Measured(one, count, tuple(reached), _a_hand(made, count * turns))
        for one, count, reached, made in zip(contestants, hands, rates, decisions, strict=True)
    ]


def warm_up(run: Callable[[int], int | None], seconds: float, clock: Clock) -> int:
    """Play more and more hands, and return how many take about ``seconds``; at least one."""
    hands, passed = 1, 0.0
    run(hands)  # what is compiled or read at first is no part of the speed
    while (passed := timed(run, hands, clock)[0]) < seconds / 4:
        hands *= 2
    return max(1, round(hands * seconds / passed))


def timed(run: Callable[[int], int | None], hands: int, clock: Clock) -> tuple[float, int | None]:
    """Processor time of so many hands, in seconds, and the decisions in them."""
    start = clock()
    made = run(hands)
    return clock() - start, made


def _a_hand(made: Iterable[int | None], hands: int) -> float | None:
    """Decisions in a hand."""
    known = [count for count in made if count is not None]
    return sum(known) / hands if known else None
