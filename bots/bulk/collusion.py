"""``casino collusion``: play a bulk tournament again, and print the evidence of players who cooperate.

Programs that cooperate know each other by their first moves. So each tournament is played twice with the same dice: as
it is, and with a coin in place of the first decisions of a receiver. A player who gives chips to it then harms itself
in the one and not in the other, for good. Honest players adapt to what an opponent does all the time, and what they
learn from its first moves fades. Harm is what ``SecondHalf.harm`` computes.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Group
from rich.table import Table
from rich.text import Text

from bots.bulk.chance import coin_seed
from bots.bulk.checkpoint import Checkpoint, planned
from bots.bulk.compile import Compiled, compile_all
from bots.bulk.plan import BulkError, Inspection, Plan
from bots.bulk.played import Played
from bots.bulk.supervisor import play_series
from bots.fitting_table import print_found
from dealer.cli.tables import new_table, signed, working_progress
from protocol.estimates.intervals import Estimate, mean
from protocol.estimates.many_tests import holm, one_sided

#: Parts of a tournament in which actions are counted apart: its first half and its second.
HALVES = 2

#: Deals that a player's usual play counts for, where its play against one opponent is estimated.
_PRIOR = 6.0

#: Places in ``ActionCounts`` of ``cpp/page.h``.
_FIRST_FOLDS, _FIRST_BETS, _SECOND_FOLDS, _SECOND_CALLS = range(4)

_B = np.arange(3, 19)
_DICE = np.arange(1, 7)

#: By B, own die and the other one: chips won at a showdown.
_SHOWDOWN = _B[:, None, None] * np.sign(_DICE[:, None] - _DICE[None, :])

_Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SecondHalf:
    """What all players did in the second half of one tournament or of several, by player, opponent, role, B and die.

    Roles are 0 for the first player and 1 for the second one, who only decides if the first one bets.

    Attributes:
        bets: how often the player bet or called.
        decisions: how often it had to decide.
    """

    bets: _Numbers
    decisions: _Numbers

    @classmethod
    def of(cls, played: Played, players: int) -> "SecondHalf":
        """The actions of a tournament in which they were counted in ``HALVES`` parts."""
        shape = (HALVES, players, players, 4, len(_B), len(_DICE))
        counts = np.frombuffer(played.actions, np.uint32).reshape(shape)[-1].astype(float)
        as_second = np.swapaxes(counts, 0, 1)  # the player who decides comes before its opponent
        bets = (counts[:, :, _FIRST_BETS], as_second[:, :, _SECOND_CALLS])
        folds = (counts[:, :, _FIRST_FOLDS], as_second[:, :, _SECOND_FOLDS])
        stacked = np.stack(bets, 2)
        return cls(stacked, stacked + np.stack(folds, 2))

    def deals(self) -> _Numbers:
        """Deals of each player with each opponent."""
        as_first: _Numbers = self.decisions[:, :, 0].sum((-2, -1))
        return as_first + as_first.T

    def harm(self) -> _Numbers:
        """Chips a deal that each player loses to each opponent by not playing as it usually does; negative for a gain.

        Usual is what the player does against all others, with the same B, die and role. The value of a bet follows from
        what this opponent does with each of its dice, which are all equally likely. Zero without deals.
        """
        usual = self._usual()
        value = self._value_of_bets(usual)
        missing: _Numbers = ((self.decisions * usual - self.bets) * value).sum((2, 3, 4))
        return missing / np.maximum(self.deals(), 1)

    def _usual(self) -> _Numbers:
        """How often a player bets against all but one opponent; where it hardly ever decided, as with other dice."""
        bets, decisions = (all_of.sum(1, keepdims=True) - all_of for all_of in (self.bets, self.decisions))
        average = (bets.sum(-2, keepdims=True) + 0.5) / (decisions.sum(-2, keepdims=True) + 1)
        return _numbers((bets + average) / (decisions + 1))

    def _value_of_bets(self, usual: _Numbers) -> _Numbers:
        """Chips that a bet wins more than a fold, by player, opponent, role, B and die."""
        plays = (self.bets + _PRIOR * usual) / (self.decisions + _PRIOR)
        by_opponent = np.swapaxes(plays, 0, 1)
        calls, bets = by_opponent[:, :, 1], by_opponent[:, :, 0]
        shown = np.einsum("gobe,bde->gobd", calls, _SHOWDOWN) / len(_DICE)
        stolen = 2 * (1 - calls.mean(-1, keepdims=True))
        called = np.einsum("gobe,bde->gobd", bets, _SHOWDOWN) / np.maximum(bets.sum(-1, keepdims=True), 1e-9)
        return np.stack([shown + stolen + 1, called + 2], 2)


def _numbers(values: Any) -> _Numbers:
    return np.asarray(values, np.float64)


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

#: How often anybody at all is named in a tournament of honest players, at most.
LEVEL = 0.01

#: Tests shown where nothing is evidence.
SHOWN = 5

#: Columns, where no terminal says how many.
PAGE = 120

#: Givers and receivers, as their numbers.
Pair = tuple[int, int]

#: Is told what is done, and which part of it is finished, from 0 to 1.
Progress = Callable[[str, float], object]

#: Is told how many of how many tournaments are played.
Played_of = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class PairTest:
    """A test of whether one player gives chips to another.

    Attributes:
        giver: the id of the player who loses them.
        receiver: the id of the player who gets them.
        harm: chips a deal that the giver loses in comparison with its usual play.
        harm_replaced: the same when a coin has decided the receiver's first moves.
        excess: the difference of both, with its 95 % interval.
        tournaments: in which it was measured, each played in both ways.
        p_value: how often honest players show as much, or more.
        corrected: the same for all tests together.
    """

    giver: int
    receiver: int
    harm: float
    harm_replaced: float
    excess: Estimate
    tournaments: int
    p_value: float
    corrected: float = 1.0


@dataclass(frozen=True, slots=True)
class Examination:
    """What was examined.

    Attributes:
        players: their names, by id.
        rounds: of each tournament that was played again.
        margin: chips a deal up to which harm is no evidence.
        tests: the strongest evidence first; of all other pairs the harm was not above ``margin``.
    """

    players: tuple[str, ...]
    rounds: int
    margin: float
    tests: tuple[PairTest, ...]

    @property
    def pairs(self) -> int:
        """Pairs of a giver and a receiver, tested or not."""
        return len(self.players) * (len(self.players) - 1)

    def named(self, level: float) -> list[PairTest]:
        """The tests that are evidence."""
        return [test for test in self.tests if test.corrected <= level]


def examine_file(path: Path, level: float, jobs: int, as_json: bool) -> bool:
    """Examine the tournament of a checkpoint, print what was found, and return whether it is evidence.

    Raises:
        BulkError: the file is no checkpoint, or see ``examine``.
    """
    if not 0 < level < 1:
        raise BulkError(f"--level is a probability between 0 and 1, got {level:g}")
    plan = planned(path)
    with working_progress(100) as tell:
        found = examine(plan, jobs, lambda what, part: tell(round(100 * part), what))
    print_found(facts(found, level), in_words(found, level), "json" if as_json else "", PAGE)
    return bool(found.named(level))


def examine(plan: Plan, jobs: int, progress: Progress) -> Examination:
    """Look for players who harm themselves against one opponent because of its first moves.

    Args:
        plan: the tournament; its players are played again in up to so many processes.

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


@dataclass(frozen=True, slots=True)
class Players:
    """Programs that can play as many tournaments as are wanted.

    Attributes:
        plan: who plays; the seed is that of the tournament which is examined.
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
        self.harms[played.number] = SecondHalf.of(played, self._players).harm()
        super().finish(replace(played, actions=b""))
        self._progress(1)


def candidates(players: Players, progress: Played_of) -> list[Pair]:
    """The pairs in whose tournament the giver harms itself by more than ``MARGIN``."""
    (harm,) = players.harms(players.plan.seed, 1, None, lambda _: progress(1, 1))
    ids = range(len(players.plan.entrants))
    pairs = ((giver, receiver) for giver in ids for receiver in ids if giver != receiver)
    return [pair for pair in pairs if harm[pair] > MARGIN]


def opening_tests(players: Players, found: Sequence[Pair], progress: Played_of) -> list[PairTest]:
    """Test pairs in tournaments with other dice than the one in which they were found.

    The p-values are not corrected yet. A pair whose first tournaments show no evidence is not tested further; its
    p-value is 1.
    """
    receivers = sorted({receiver for _, receiver in found})
    first = _Samples(players, f"{players.plan.seed}/first", FIRST_RUNS, receivers, progress)
    hopeful = []
    for pair in found:
        own, other = first.of(pair)
        if sum(own) > MARGIN * len(own) and sum(other) < LEFT * sum(own):
            hopeful.append(pair)
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


def all_corrected(tests: Sequence[PairTest]) -> tuple[PairTest, ...]:
    """The tests with p-values corrected for all of them together (see ``holm``), the strongest evidence first."""
    ordered = sorted(tests, key=lambda test: (test.p_value, -test.excess.value, test.giver, test.receiver))
    together = holm([test.p_value for test in ordered])
    return tuple([replace(test, corrected=p_value) for test, p_value in zip(ordered, together, strict=True)])


def facts(found: Examination, level: float) -> dict[str, Any]:
    """The facts for ``--json``."""
    return {
        "game": "dice",
        "players": list(found.players),
        "rounds": found.rounds,
        "pairs": found.pairs,
        "margin": found.margin,
        "level": level,
        "correction": "Holm",
        "evidence": bool(found.named(level)),
        "tests": [
            {
                "giver": found.players[test.giver],
                "receiver": found.players[test.receiver],
                "harm": test.harm,
                "harm_replaced": test.harm_replaced,
                "excess": test.excess.value,
                "interval": test.excess.interval,
                "tournaments": test.tournaments,
                "p_value": test.p_value,
                "corrected": test.corrected,
                "evidence": test.corrected <= level,
            }
            for test in found.tests
        ],
    }


def in_words(found: Examination, level: float) -> Group:
    """The evidence as a table and sentences; the strongest tests if there is none."""
    named = found.named(level)
    shown: list[Table | Text] = [_table(found, named or found.tests[:SHOWN], level)] if found.tests else []
    shown += [Text(_sentence(found, test)) for test in named]
    if named:
        shown.append(Text("This is evidence, not proof: read the programs and talk to the authors before you decide."))
    else:
        shown.append(Text(f"No pair shows evidence, at a level of {level:g} for all {found.pairs} pairs together."))
    quiet = found.pairs - len(found.tests)
    shown.append(Text(f"In {quiet} of {found.pairs} pairs nobody loses more than {found.margin:g} chips a deal so."))
    return Group(*shown)


def _table(found: Examination, tests: Sequence[PairTest], level: float) -> Table:
    title = f"{len(found.tests)} pairs in tournaments of {found.rounds:,} rounds, Holm's correction, level {level:g}"
    table = new_table(title)
    for heading in ("Loses chips", "Gets chips"):
        table.add_column(heading)
    for heading in ("Harm\na deal", "other first\nmoves", "Difference", "95 %\nfrom", "\nto", "p", "corrected"):
        table.add_column(heading, justify="right")
    for test in tests:
        cells = (
            found.players[test.giver],
            found.players[test.receiver],
            f"{test.harm:+.3f}",
            f"{test.harm_replaced:+.3f}",
            *signed(test.excess, ".3f"),
            f"{test.p_value:.2g}",
            f"{test.corrected:.2g}",
        )
        table.add_row(*map(Text, cells))
    return table


def _sentence(found: Examination, test: PairTest) -> str:
    giver, receiver = found.players[test.giver], found.players[test.receiver]
    return (
        f"{giver} loses {test.harm:.2f} chips a deal to {receiver} by not playing as it usually does, "
        f"and {test.harm_replaced:.2f} if {receiver} begins with other moves."
    )
