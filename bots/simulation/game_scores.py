"""``casino simulate`` for games with a winner each: from flags to what is printed."""

import json
from collections.abc import Sequence

from rich.console import Console

from bots.simulation.cross_table import cross_facts, cross_table, play_cross
from bots.simulation.facts import outcome_facts, outcome_text
from bots.simulation.folding import Keeping
from bots.simulation.html_report import check_report, write_report
from bots.simulation.kernel_choice import pick_engine
from bots.simulation.plan import Plan, SimulationError, check_plan
from bots.simulation.simulation_flags import DealFlags, GameFlags
from bots.simulation.whole_games import simulate
from protocol.games.game import Game

GAMES = 10_000
CROSS_GAMES = 1_000
#: Columns, where no terminal says how many.
PAGE = 100


def simulate_games(
    game: Game, bots: Sequence[str], seed: str, as_json: bool, deals: DealFlags, flags: GameFlags, computed: Keeping
) -> None:
    """Play whole games, and print what was found.

    Raises:
        SimulationError: something that cannot be played, or flags that do not go together.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    if deals.cross:
        _run_cross(bots, game, seed, as_json, computed, flags)
        return
    plan = Plan(tuple(bots), game, flags.games or GAMES, deals.duplicate, seed)
    check_plan(plan)
    plan = pick_engine(plan, flags.engine)
    if flags.report:
        check_report(flags.report)
    outcome = simulate(plan, computed, flags.until)
    if flags.report:
        write_report(outcome, flags.report)
    if as_json:
        print(json.dumps(outcome_facts(outcome), indent=2))
    else:
        _page().print(outcome_text(outcome), soft_wrap=True)


def _run_cross(bots: Sequence[str], game: Game, seed: str, as_json: bool, computed: Keeping, flags: GameFlags) -> None:
    for given, name in ((flags.report, "report"), (flags.until, "until")):
        if given is not None:
            raise SimulationError(f"--{name} is about one simulation; leave it out, or --cross")
    cross = play_cross(bots, game, flags.games or CROSS_GAMES, seed, computed, flags.engine)
    if as_json:
        print(json.dumps(cross_facts(cross), indent=2))
    else:
        _page().print(cross_table(cross))


def _page() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=PAGE)
