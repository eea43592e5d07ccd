"""Play hands of games that last until one player is left, in blocks where no hand depends on those before it.

That is so where everybody has the first stack again before every hand. The button goes on from block to block as if
there were none. Where stacks carry over, all hands are one block.

In duplicate, a table for each seating plays the same deals: player ``p`` sits ``turn`` seats further left than it was
named. The bots at a table are made for it alone, so what one learns at a table it knows nowhere else.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from bots.arena import ArenaError, play_hands
from bots.simulation.folding import HERE, Keeping, SumsFold, fold_shards
from bots.simulation.hand_tally import HandTally, Played, Result
from bots.simulation.plan import BrokenBotError, Plan, SimulationError, check_plan, load_strategies, with_progress
from bots.workers.computing import LOCAL
from protocol.shuffle import seed_from_text


class Table(NamedTuple):
    """One seating of one block."""

    plan: Plan
    block: int
    turn: int

    @property
    def seeds(self) -> list[str]:
        """What each seat's bot draws its random numbers from."""
        count, seed = len(self.plan.bots), self.plan.seed
        later = f"/{self.block}" if self.block else ""
        if not self.plan.duplicate:
            return [f"{seed}/{seat}{later}" for seat in range(count)]
        return [f"{seed}/{(seat + self.turn) % count}/{self.turn}{later}" for seat in range(count)]


def play_plan(plan: Plan, computed: Keeping = HERE) -> list[Result]:
    """The score of each bot, in the order named, with a progress bar on standard error.

    Raises:
        SimulationError: the plan cannot be played, or the work cannot be shared or kept as asked.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    (tally,) = play_plans([plan], computed)
    return tally.results


def play_plans(plans: Sequence[Plan], computed: Keeping) -> Sequence[HandTally]:
    """The scores in each of several plans, which are alike but for their bots; see ``play_plan``."""
    for plan in plans:
        check_plan(plan)  # before the first one has played for minutes
    if not plans[0].can_be_cut:
        _check_uncut(plans[0], computed)
        return _play_seatings(plans, computed) if plans[0].duplicate else [_play_alone(plan) for plan in plans]
    about = {**plans[0].as_dict(), "bots": [plan.bots for plan in plans], "cross": len(plans) > 1}
    fold = SumsFold([HandTally.start(plan) for plan in plans], [len(plan.shards) for plan in plans])
    shards = [(plan, blocks) for plan in plans for blocks in plan.shards]
    fold_shards(computed, about, play_blocks, shards, fold)
    return fold.tallies


def _check_uncut(plan: Plan, computed: Keeping) -> None:
    if computed.checkpoint is not None:
        raise SimulationError("--checkpoint needs --reset-stacks: else every hand depends on the hands before it")
    if not plan.duplicate and computed.workers != LOCAL:
        raise SimulationError(
            "--jobs and --cluster share the seatings of --duplicate, the pairs of --cross, or the hands with "
            "--reset-stacks; give one of them"
        )


def _play_seatings(plans: Sequence[Plan], computed: Keeping) -> list[HandTally]:
    """Hands that depend on each other: each seating is played as a whole."""
    tables = [Table(plan, 0, turn) for plan in plans for turn in range(plan.seatings)]
    with closing(computed.workers.compute(play_whole_table, tables)) as computing:
        played = iter(list(with_progress(computing, "seatings", len(tables))))
    tallies = [HandTally.start(plan) for plan in plans]
    for plan, tally in zip(plans, tallies, strict=True):
        for deal in zip(*[next(played) for _ in range(plan.seatings)], strict=True):
            tally.add(deal)
    return tallies


def _play_alone(plan: Plan) -> HandTally:
    tally = HandTally.start(plan)
    for hand in with_progress(play_table(Table(plan, 0, 0)), "hands", plan.deals):
        tally.add([hand])
    return tally


def play_blocks(shard: tuple[Plan, range]) -> HandTally:
    """The tally of some blocks, in this process, each of their deals played in every seating."""
    plan, blocks = shard
    tally = HandTally.start(plan)
    for block in blocks:
        for deal in zip(*[play_table(Table(plan, block, turn)) for turn in range(plan.seatings)], strict=True):
            tally.add(deal)
    return tally


def play_table(table: Table) -> Iterator[Played]:
    """Play the hands of one seating of a block, in this process.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    plan, count = table.plan, len(table.plan.bots)
    seated = [(seat + table.turn) % count for seat in range(count)]
    bots = [plan.bots[player] for player in seated]
    strategies, deals = load_strategies(bots, table.seeds), plan.deals_of(table.block)
    try:
        for hand in play_hands(
            plan.game, strategies, seed_from_text(plan.seed), len(deals), plan.reset_stacks, first=deals.start + 1
        ):
            payoffs: list[int | None] = [None] * count
            collected = [False] * count
            for seat, player in enumerate(hand.players):
                payoffs[seated[player]] = hand.settlement.payoffs[seat]
                collected[seated[player]] = hand.settlement.shares[seat] > 0
            yield Played(tuple(payoffs), tuple(collected))
    except ArenaError as error:
        where = f"{bots[error.player]} in seat {error.player}, hand {error.number}"
        raise BrokenBotError(f"{where}: {error}") from error.__cause__


def play_whole_table(table: Table) -> list[Played]:
    """The hands of ``play_table`` all at once, as they go from one process to another."""
    return list(play_table(table))
