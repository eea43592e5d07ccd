"""Games in blocks, each of which depends on the seed and its own number only: however many processes share
the blocks, and in whatever order they finish, the result is the same.

Strategies are made anew for each block, so one that learns meets its opponents for ``BLOCK`` deals.
"""

import signal
from collections.abc import Generator, Iterator, Sequence
from multiprocessing import get_context

from bots.arena import ArenaError, play_game
from bots.simulation.kernel import play_games
from bots.simulation.plan import Plan, Task
from bots.simulation.players import make_strategies
from bots.simulation.simulation_errors import BrokenBotError
from bots.simulation.tally import FinishedGame, Tally
from bots.strategy import Strategy
from protocol.shuffle import seed_from_text


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
    for deal in play_games(plan, block) if plan.engine == "kernel" else _play_in_arena(plan, block):
        tally.add(deal)
    return tally


def _play_in_arena(plan: Plan, block: int) -> Iterator[Sequence[FinishedGame]]:
    strategies = make_strategies(plan.bots, plan.seed, block)
    seed = seed_from_text(plan.seed)
    for deal in plan.deals_of(block):
        yield [_play_game(plan, strategies, seed, deal, turn) for turn in range(plan.seatings)]


def _play_game(plan: Plan, strategies: Sequence[Strategy], seed: bytes, deal: int, turn: int) -> FinishedGame:
    """One game; everybody sits ``turn`` seats further to the left than they were named."""
    count = len(strategies)
    seated = [(seat - turn) % count for seat in range(count)]
    stacks, folds, pots = [plan.game.stack] * count, [0] * count, 0
    first = deal * plan.game.hands + 1
    try:
        for hand in play_game(plan.game, [strategies[player] for player in seated], seed, first):
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)
