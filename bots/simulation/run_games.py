"""``casino simulate blockhead``: play, stop when it is time to, and collect what was found."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import NamedTuple

from bots.simulation.blocks import play_blocks
from bots.simulation.conclusion import LEVEL, Verdict, judge
from bots.simulation.plan import Plan
from bots.simulation.players import distinct_names, make_strategies
from bots.simulation.progress_bar import watched
from bots.simulation.sequential import AlwaysValid
from bots.simulation.simulation_errors import SimulationError
from bots.simulation.tally import Tally
from estimates.intervals import Estimate


class Step(NamedTuple):
    """How things stood after some games: chips won a hand by each player."""

    games: int
    chips_per_hand: tuple[Estimate, ...]


@dataclass(slots=True)
class Outcome:
    """All that was found.

    Attributes:
        plan: what was to be played.
        names: of the players, no two alike.
        tally: of all games.
        trail: how things stood after each block.
        verdict: in words.
        level: of the verdict.
        sequential: whether the games stopped when they were decided.
    """

    plan: Plan
    names: Sequence[str]
    tally: Tally
    verdict: Verdict
    level: float
    sequential: bool
    trail: list[Step] = field(default_factory=list)


def check_plan(plan: Plan) -> None:
    """Find out what is wrong before anything is played.

    Raises:
        SimulationError: too few or too many bots, or one that is not installed.
    """
    seats = plan.game.seats
    if len(plan.bots) not in seats:
        raise SimulationError(f"blockhead is played by {seats[0]} to {seats[-1]} bots, got {len(plan.bots)}")
    make_strategies(plan.bots, plan.seed)


def simulate(plan: Plan, jobs: int, until: float | None = None) -> Outcome:
    """Play the plan, with a progress bar on standard error; stop early if ``until`` is a level reached.

    Raises:
        SimulationError: the plan cannot be played.
        BrokenBotError: a bot broke the rules or raised something.
    """
    check_plan(plan)
    names, tally, trail = distinct_names(plan.bots), plan.new_tally(), []
    tests = [AlwaysValid() for _ in tally.pairs]
    level = LEVEL if until is None else until
    blocks = play_blocks([(plan, block) for block in plan.blocks], jobs)
    verdict = None
    with closing(blocks):
        for block in watched(blocks, "blocks", len(plan.blocks)):
            tally.merge(block)
            trail.append(Step(tally.games, tuple(map(tally.chips_per_hand, range(len(names))))))
            if until is not None:
                for test, pair in zip(tests, tally.pairs.values(), strict=True):
                    test.look(pair.ahead, pair.behind)
                verdict = judge(tally, names, level, [test.p_value for test in tests])
                if verdict.decided:
                    break
    return Outcome(plan, names, tally, verdict or judge(tally, names, level), level, until is not None, trail)
