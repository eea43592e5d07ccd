"""Whether a player harms itself against one opponent because of that opponent's first moves.

Programs that cooperate know each other by their first moves. So each tournament is played twice with the same dice: as
it is, and with a coin in place of the first decisions of a receiver. A player who gives chips to it then harms itself
in the one and not in the other, for good. Honest players adapt to what an opponent does all the time, and what they
learn from its first moves fades. Harm is what ``actions.SecondHalf.harm`` computes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from bots.bulk.actions import HALVES, SecondHalf
from bots.bulk.chance import coin_seed
from bots.bulk.checkpoint import Checkpoint
from bots.bulk.compile import Compiled
from bots.bulk.evidence import PairTest
from bots.bulk.plan import Inspection, Plan
from bots.bulk.played import Played
from bots.bulk.supervisor import play_series
from protocol.estimates.intervals import mean
from protocol.estimates.many_tests import one_sided

#: Rounds of a tournament that are played again, at most.
MOST_ROUNDS = 5_000

#: Rounds that a test needs, so that the first decisions are long past in the second half.
LEAST_ROUNDS = 1_000

#: First decisions against each opponent that a coin replaces.
OPENING = 200

#: Chips a deal up to which harm is no evidence.
MARGIN = 0.1

#: The part of the harm, at most, that is left with other first moves.
LEFT = 0.5

#: Tournaments that are played twice for a test, and those of them after which it is given up where it looks hopeless.
RUNS, FIRST_RUNS = 8, 1

#: Givers and receivers, as their numbers.
Pair = tuple[int, int]

#: Is told how many of how many tournaments are played.
Played_of = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Players:
    """Programs that can play as many tournaments as are wanted.

    Attributes:
        plan: who plays; the seed is that of the tournament which is examined.
        compiled: the same programs.
        jobs: processes.
    """

    plan: Plan
    compiled: Compiled
    jobs: int

    @property
    def rounds(self) -> int:
        """Of each tournament."""
        return min(self.plan.rounds, MOST_ROUNDS)

    def harms(self, seed: str, series: int, replaced: int | None, progress: Callable[[int], object]) -> list[Any]:
        """Of each tournament of a series, the harm of each player against each other.

        Raises:
            BulkError: a worker cannot play.
        """
        count = len(self.plan.entrants)
        coin = 0 if replaced is None else coin_seed(seed, replaced)
        inspection = Inspection(HALVES, replaced, OPENING, coin)
        plan = replace(self.plan, rounds=self.rounds, series=series, seed=seed, inspection=inspection)
        found = _Harms(count, progress)
        play_series(plan, self.compiled, self.jobs, lambda *_: None, checkpoint=found)
        return [found.harms[number] for number in range(series)]


class _Harms(Checkpoint):
    """Keeps the harm in each tournament in place of what was counted, which is much."""

    def __init__(self, players: int, progress: Callable[[int], object]) -> None:
        super().__init__(None, None)
        self.harms: dict[int, Any] = {}
        self._players = players
        self._progress = progress

    def finish(self, played: Played) -> None:
        """See ``Checkpoint``."""
        self.harms[played.number] = SecondHalf.of(played, self._players).harm()
        super().finish(replace(played, actions=b""))
        self._progress(1)


def candidates(players: Players, progress: Played_of) -> list[Pair]:
    """The pairs in whose tournament the giver harms itself by more than ``MARGIN``."""
    (harm,) = players.harms(players.plan.seed, 1, None, lambda _: progress(1, 1))
    return [pair for pair in _pairs(len(players.plan.entrants)) if harm[pair] > MARGIN]


def opening_tests(players: Players, found: Sequence[Pair], progress: Played_of) -> list[PairTest]:
    """Test pairs in tournaments with other dice than the one in which they were found.

    The p-values are not corrected yet. A pair whose first tournaments show no evidence is not tested further; its
    p-value is 1.
    """
    receivers = sorted({receiver for _, receiver in found})
    first = _Samples(players, f"{players.plan.seed}/first", FIRST_RUNS, receivers, progress)
    hopeful = [pair for pair in found if _is_hopeful(*first.of(pair))]
    last = None
    if hopeful:
        left = sorted({receiver for _, receiver in hopeful})
        last = _Samples(players, f"{players.plan.seed}/last", RUNS - FIRST_RUNS, left, progress)
    tests = []
    for pair in found:
        own, other = first.of(pair)
        if last is not None and pair in hopeful:
            more_own, more_other = last.of(pair)
            own, other = own + more_own, other + more_other
        tests.append(_test(pair, own, other, pair in hopeful))
    return tests


class _Samples:
    """The harm of pairs in tournaments as they are, and in the same with other first moves of each receiver."""

    def __init__(self, players: Players, seed: str, runs: int, receivers: Sequence[int], progress: Played_of) -> None:
        total = runs * (1 + len(receivers))
        counter = iter(range(1, total + 1))

        def one_more(_: int) -> None:
            progress(next(counter), total)

        self._own = players.harms(seed, runs, None, one_more)
        self._other = {receiver: players.harms(seed, runs, receiver, one_more) for receiver in receivers}

    def of(self, pair: Pair) -> tuple[list[float], list[float]]:
        """The harm of the giver with the receiver's own first moves, and with others."""
        return [float(harm[pair]) for harm in self._own], [float(harm[pair]) for harm in self._other[pair[1]]]


def _pairs(count: int) -> Iterator[Pair]:
    return ((giver, receiver) for giver in range(count) for receiver in range(count) if giver != receiver)


def _is_hopeful(own: Sequence[float], other: Sequence[float]) -> bool:
    return sum(own) > MARGIN * len(own) and sum(other) < LEFT * sum(own)


def _test(pair: Pair, own: list[float], other: list[float], hopeful: bool) -> PairTest:
    """The test that the harm is above ``MARGIN``, and that other first moves leave less than ``LEFT`` of it."""
    giver, receiver = pair
    p_value = 1.0
    if hopeful:
        beyond = _above_zero([harm - MARGIN for harm in own])
        ended = _above_zero([LEFT * harm - left for harm, left in zip(own, other, strict=True)])
        p_value = max(beyond, ended)
    excess = mean([harm - left for harm, left in zip(own, other, strict=True)])
    assert excess is not None
    return PairTest(giver, receiver, fmean(own), fmean(other), excess, len(own), p_value)


def _above_zero(sample: Sequence[float]) -> float:
    # The least p-value is how often chance alone sorts so many pairs of tournaments into one way and the other.
    return one_sided(fmean(sample), stdev(sample) / sqrt(len(sample)), len(sample) - 1, 0.5 ** (2 * len(sample)))
