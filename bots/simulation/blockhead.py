"""``casino simulate blockhead``: from flags to what is printed."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from bots.simulation.cross_table import cross_facts, cross_table, play_cross
from bots.simulation.engine import pick_engine
from bots.simulation.facts import outcome_facts, outcome_text
from bots.simulation.html_report import check_report, write_report
from bots.simulation.plan import Plan
from bots.simulation.run_games import check_plan, simulate
from bots.simulation.simulation_errors import SimulationError
from protocol.games.blockhead import DEFAULT_HANDS, DEFAULT_STACK, BlockheadGame

if TYPE_CHECKING:
    from bots.commands import BlockheadFlags

GAMES = 10_000
CROSS_GAMES = 1_000
#: Columns, where no terminal says how many.
PAGE = 100


def run_blockhead(
    bots: Sequence[str], hands: int | None, stack: int | None, seed: str, as_json: bool, flags: "BlockheadFlags"
) -> None:
    """Play and print.

    Raises:
        SimulationError: something that cannot be played, or flags that do not go together.
        BrokenBotError: a bot broke the rules or raised something.
    """
    game = BlockheadGame(stack or DEFAULT_STACK, hands or DEFAULT_HANDS, flags.ranks)
    if flags.cross:
        _run_cross(bots, game, seed, as_json, flags)
        return
    plan = Plan(tuple(bots), game, flags.games or GAMES, flags.duplicate, seed)
    check_plan(plan)
    plan = pick_engine(plan, flags.engine)
    if flags.report:
        check_report(flags.report)
    outcome = simulate(plan, flags.jobs, flags.until)
    if flags.report:
        write_report(outcome, flags.report)
    if as_json:
        print(json.dumps(outcome_facts(outcome), indent=2))
    else:
        _page().print(outcome_text(outcome), soft_wrap=True)


def _run_cross(bots: Sequence[str], game: BlockheadGame, seed: str, as_json: bool, flags: "BlockheadFlags") -> None:
    for given, name in ((flags.report, "report"), (flags.until, "until")):
        if given is not None:
            raise SimulationError(f"--{name} is about one simulation; leave it out, or --cross")
    cross = play_cross(bots, game, flags.games or CROSS_GAMES, seed, flags.jobs, flags.engine)
    if as_json:
        print(json.dumps(cross_facts(cross), indent=2))
    else:
        _page().print(cross_table(cross))


def _page() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=PAGE)
