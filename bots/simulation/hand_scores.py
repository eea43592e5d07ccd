"""Play hands by a plan, and show the chips won a hand by each bot."""

import json
import shlex
from collections.abc import Sequence
from contextlib import closing
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from bots.command_line import RESET_STACKS
from bots.fitting_table import FittingTable, new_table
from bots.simulation.facts import signed
from bots.simulation.folding import HERE, Keeping, SumsFold, fold_shards
from bots.simulation.hand_blocks import HandPlan, Table, play_hand_blocks, play_table, play_whole_table
from bots.simulation.hand_tally import HandTally, Result
from bots.simulation.plan import SimulationError, check_bots, check_seats, with_progress
from bots.workers.computing import LOCAL
from protocol.games.game import Game
from protocol.plurals import counted


def print_results(plan: HandPlan, results: Sequence[Result], as_json: bool) -> None:
    """Print what was played and the scores, as JSON or as a table."""
    if as_json:
        print(json.dumps(result_facts(plan, results), indent=2))
        return
    console = Console()
    console.print(results_table(plan, results))
    console.print()
    console.print("from, to: the 95 % interval of chips a hand", highlight=False)
    console.print(Text(f"the same again: --seed {shlex.quote(plan.seed)}"), soft_wrap=True)


def result_facts(plan: HandPlan, results: Sequence[Result]) -> dict[str, Any]:
    """The facts; chips in chips, intervals at 95 %."""
    return {
        "game": plan.game.name,
        **plan.game.facts,
        "seed": plan.seed,
        "hands": plan.deals,
        "duplicate": plan.duplicate,
        RESET_STACKS: plan.can_be_cut,
        "bots": [result.as_dict() for result in results],
    }


def check_hands(game: Game, bots: Sequence[str]) -> None:
    """Make sure that so many bots can play the game with its stacks.

    Raises:
        SimulationError: too few or too many, or a stack that does not pay for one hand.
    """
    check_seats(game, bots)
    if game.start(len(bots)).over:
        raise SimulationError(f"a stack of {game.stack} chips does not pay {game.fee}")


def play_plan(plan: HandPlan, computed: Keeping = HERE) -> list[Result]:
    """The score of each bot, in the order named, with a progress bar on standard error.

    Raises:
        SimulationError: a bot is not installed or plays other games, or the work cannot be shared or kept as asked.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    (tally,) = play_plans([plan], computed)
    return tally.results


def play_plans(plans: Sequence[HandPlan], computed: Keeping) -> list[HandTally]:
    """The scores in each of several plans, which are alike but for their bots; see ``play_plan``."""
    for plan in plans:
        check_bots(plan.game, plan.bots)  # before the first one has played for minutes
    if not plans[0].can_be_cut:
        _check_uncut(plans[0], computed)
        return _play_seatings(plans, computed) if plans[0].duplicate else [_play_alone(plan) for plan in plans]
    about = {**plans[0].as_dict(), "bots": [plan.bots for plan in plans], "cross": len(plans) > 1}
    fold = SumsFold([plan.new_tally() for plan in plans], [len(plan.shards) for plan in plans])
    shards = [(plan, blocks) for plan in plans for blocks in plan.shards]
    fold_shards(computed, about, play_hand_blocks, shards, fold)
    return list(fold.tallies)


def _check_uncut(plan: HandPlan, computed: Keeping) -> None:
    if computed.checkpoint is not None:
        raise SimulationError("--checkpoint needs --reset-stacks: else every hand depends on the hands before it")
    if not plan.duplicate and computed.workers != LOCAL:
        raise SimulationError(
            "--jobs and --cluster share the seatings of --duplicate, the pairs of --cross, or the hands with "
            "--reset-stacks; give one of them"
        )


def _play_seatings(plans: Sequence[HandPlan], computed: Keeping) -> list[HandTally]:
    """Hands that depend on each other: each seating is played as a whole."""
    tables = [Table(plan, 0, turn) for plan in plans for turn in range(plan.seatings)]
    with closing(computed.workers.compute(play_whole_table, tables)) as computing:
        played = iter(list(with_progress(computing, "seatings", len(tables))))
    tallies = [plan.new_tally() for plan in plans]
    for plan, tally in zip(plans, tallies, strict=True):
        for deal in zip(*[next(played) for _ in range(plan.seatings)], strict=True):
            tally.add(deal)
    return tallies


def _play_alone(plan: HandPlan) -> HandTally:
    tally = plan.new_tally()
    for hand in with_progress(play_table(Table(plan, 0, 0)), "hands", plan.deals):
        tally.add([hand])
    return tally


def results_table(plan: HandPlan, results: Sequence[Result]) -> FittingTable:
    """The scores as a terminal shows them, on a narrow one as a list."""
    deals = f"{counted(plan.deals, 'deal')}, each in every seating" if plan.duplicate else counted(plan.deals, "hand")
    table = new_table(f"{plan.game.name.capitalize()}: {deals}")
    table.add_column("Seat", justify="right", no_wrap=True)
    table.add_column("Bot", no_wrap=True)
    table.add_column("Chips a hand", justify="right")
    for heading in ("from", "to", "Hands", "Won"):
        table.add_column(heading, justify="right", no_wrap=True)
    for seat, result in enumerate(results):
        won = f"{result.won / max(result.hands, 1):.1%}"
        table.add_row(str(seat), escape(result.bot), *signed(result.chips.estimate), str(result.hands), won)
    return FittingTable(table, ("seat", "bot", "chips a hand", "from", "to", "hands", "won"))
