"""``casino simulate``: from flags to what is printed."""

from collections.abc import Sequence
from itertools import combinations

from bots.fitting_table import form_of, print_found
from bots.report_file import check_report, write_report
from bots.simulation.engine import play_all
from bots.simulation.facts import cross_facts, cross_text, outcome_facts, outcome_text
from bots.simulation.html_report import cross_page, report_page
from bots.simulation.plan import Plan, SimulationError, check_plan, pick_engine
from bots.simulation.simulation_flags import SimulationFlags
from bots.workers.computing import open_workers
from protocol.games.game import Game

DEALS = 10_000
CROSS_DEALS = 1_000
#: Columns, where no terminal says how many.
PAGE = 100


def run_simulation(game: Game, bots: Sequence[str], seed: str, as_json: bool, flags: SimulationFlags) -> None:
    """Play one simulation, or one of every two bots, and print what was found.

    Raises:
        SimulationError: something that cannot be played, or flags that do not go together.
        ReportError: the report cannot be written.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    form = form_of(as_json, flags.csv)
    if flags.cross:
        plans = _cross_plans(game, bots, seed, flags)
    else:
        plans = [Plan(tuple(bots), game, flags.deals or DEALS, flags.duplicate, seed)]
    for plan in plans:
        check_plan(plan)
    plans = [pick_engine(plan, flags.engine) for plan in plans]
    if flags.report:
        check_report(flags.report)
    with open_workers(flags.jobs, flags.cluster) as workers:
        outcomes = play_all(plans, workers, flags.checkpoint, until=flags.until)
    if flags.report:
        write_report(cross_page(bots, outcomes) if flags.cross else report_page(outcomes[0]), flags.report)
    if flags.cross:
        print_found(cross_facts(bots, outcomes), cross_text(bots, outcomes), form, PAGE, "scores")
    else:
        (outcome,) = outcomes
        print_found(outcome_facts(outcome), outcome_text(outcome), form, PAGE, "scores", soft_wrap=True)


def _cross_plans(game: Game, bots: Sequence[str], seed: str, flags: SimulationFlags) -> list[Plan]:
    """A simulation of every two bots, each deal in both seats, so that neither cards nor seats favour a bot.

    Raises:
        SimulationError: too few bots, or one named twice.
    """
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise SimulationError(f"a cross table needs at least 2 different bots, got {' '.join(bots)}")
    return [Plan(pair, game, flags.deals or CROSS_DEALS, True, seed) for pair in combinations(bots, 2)]
