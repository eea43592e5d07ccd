"""Play whole games in blocks, stop when the result is clear, and collect what was found.

A block depends on the seed and its own number only: the result is the same with any number of processes, and in
whatever order they finish. Strategies are made anew for each block, so a bot that learns meets its opponents for
``BLOCK`` deals.
"""

import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import NamedTuple

from bots.arena import ArenaError, play_game
from bots.simulation.conclusion import LEVEL, AlwaysValid, Verdict, judge
from bots.simulation.kernel_choice import load_kernel
from bots.simulation.plan import (
    BrokenBotError,
    Plan,
    Task,
    check_plan,
    distinct_names,
    make_strategies,
    with_progress,
)
from bots.simulation.tally import FinishedGame, Tally
from bots.strategy import Strategy
from protocol.estimates.intervals import Estimate
from protocol.shuffle import seed_from_text


class Step(NamedTuple):
    """The state after some games: chips won a hand by each player."""

    games: int
    chips_per_hand: tuple[Estimate, ...]


@dataclass(slots=True)
class Outcome:
    """All that was found.

    Attributes:
        plan: what was to be played.
        names: of the players, no two alike.
        tally: of all games.
        trail: the state after each block.
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
        for block in with_progress(blocks, "blocks", len(plan.blocks)):
            tally.merge(block)
            trail.append(Step(tally.games, tuple(map(tally.chips_per_hand, range(len(names))))))
            if until is not None:
                for test, pair in zip(tests, tally.pairs.values(), strict=True):
                    test.look(pair.ahead, pair.behind)
                verdict = judge(tally, names, level, [test.p_value for test in tests])
                if verdict.decided:
                    break
    return Outcome(plan, names, tally, verdict or judge(tally, names, level), level, until is not None, trail)


def play_blocks(tasks: Sequence[Task], jobs: int) -> Generator[Tally, None, None]:
    """The tally of each task, in their order, played by ``jobs`` processes.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    jobs = min(jobs, len(tasks))
    if jobs == 1:
        yield from map(play_block, tasks)
        return
    with get_context("spawn").Pool(jobs, _leave_interrupts_to_the_parent) as pool:
        yield from pool.imap(play_block, tasks)


def play_block(task: Task) -> Tally:
    """Play one block in this process."""
    plan, block = task
    tally = plan.new_tally()
    for deal in _play_in_kernel(plan, block) if plan.engine == "kernel" else _play_in_arena(plan, block):
        tally.add(deal)
    return tally


def _play_in_kernel(plan: Plan, block: int) -> Iterator[Sequence[FinishedGame]]:
    kernel = load_kernel(plan.game.name)
    assert kernel is not None, "only a plan that a kernel can play has this engine"
    deals: Iterator[Sequence[FinishedGame]] = kernel.play_deals(plan, block)
    return deals


def _play_in_arena(plan: Plan, block: int) -> Iterator[Sequence[FinishedGame]]:
    strategies = make_strategies(plan.bots, plan.seed, block)
    seed = seed_from_text(plan.seed)
    for deal in plan.deals_of(block):
        yield [_play_game(plan, strategies, seed, deal, turn) for turn in range(plan.seatings)]


def _play_game(plan: Plan, strategies: Sequence[Strategy], seed: bytes, deal: int, turn: int) -> FinishedGame:
    """One game, in which every player sits ``turn`` seats further to the left than it was named."""
    count = len(strategies)
    seated = [(seat - turn) % count for seat in range(count)]
    stacks, folds, pots = [plan.game.stack] * count, [0] * count, 0
    first = deal * plan.game.hands + 1
    try:
        for hand in play_game(plan.game, [strategies[player] for player in seated], seed, first, seated):
            pots += hand.pot
            for seat, payoff in enumerate(hand.settlement.payoffs):
                stacks[seated[seat]] += payoff
            for seat in hand.folded:
                folds[seated[seat]] += 1
    except ArenaError as error:
        where = f"{plan.bots[seated[error.player]]} in seat {error.player}, hand {error.number}"
        raise BrokenBotError(f"{where}: {error}") from error.__cause__
    return FinishedGame(tuple(stacks), seated[0], tuple(folds), pots)


def _leave_interrupts_to_the_parent() -> None:
    # Ctrl-C reaches every process of the terminal's group; the parent ends the pool, and one traceback is enough.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
