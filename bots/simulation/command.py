"""``casino simulate``: from flags to what is printed."""

from collections.abc import Sequence

from bots.fitting_table import print_found
from bots.report_file import check_report, write_report
from bots.simulation.cross_table import cross_facts, cross_table, play_cross
from bots.simulation.facts import hands_facts, hands_text, outcome_facts, outcome_text
from bots.simulation.folding import Keeping
from bots.simulation.html_report import report_page
from bots.simulation.plan import Plan, SimulationError, check_plan, pick_engine
from bots.simulation.simulation_flags import DealFlags, GameFlags
from bots.simulation.single_hands import play_plan
from bots.simulation.whole_games import simulate
from protocol.games.game import Game

GAMES = 10_000
CROSS_GAMES = 1_000
#: Columns, where no terminal says how many.
PAGE = 100


def run_simulation(
    game: Game,
    bots: Sequence[str],
    hands: int,
    reset_stacks: bool,
    seed: str,
    as_json: bool,
    deals: DealFlags,
    flags: GameFlags,
    computed: Keeping,
) -> None:
    """Play whole games, or so many hands of a game without them, and print what was found.

    Raises:
        SimulationError: something that cannot be played, or flags that do not go together.
        ReportError: the report cannot be written.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    if deals.cross:
        for given, name in ((flags.report, "report"), (flags.until, "until")):
            if given is not None:
                raise SimulationError(f"--{name} is about one simulation; leave it out, or --cross")
        count = -(-(flags.games or CROSS_GAMES) // 2) if game.in_games else hands
        cross = play_cross(bots, game, count, seed, computed, flags.engine, reset_stacks)
        facts, text = cross_facts(cross), cross_table(cross)
    elif game.in_games:
        plan = Plan(tuple(bots), game, flags.games or GAMES, deals.duplicate, seed)
        check_plan(plan)
        if flags.report:
            check_report(flags.report)
        outcome = simulate(pick_engine(plan, flags.engine), computed, flags.until)
        if flags.report:
            write_report(report_page(outcome), flags.report)
        facts, text = outcome_facts(outcome), outcome_text(outcome)
    else:
        plan = Plan(tuple(bots), game, hands, deals.duplicate, seed, reset_stacks=reset_stacks)
        results = play_plan(plan, computed)
        facts, text = hands_facts(plan, results), hands_text(plan, results)
    print_found(facts, text, as_json, PAGE, soft_wrap=not deals.cross)
