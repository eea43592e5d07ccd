"""``casino simulate`` for games without whole games: from flags to what is printed."""

import json
from collections.abc import Sequence

from rich.console import Console

from bots.simulation.crossed_hands import cross_hands, crossed_table
from bots.simulation.folding import Keeping
from bots.simulation.hand_blocks import HandPlan
from bots.simulation.hand_scores import check_hands, play_plan, print_results
from bots.simulation.simulation_flags import DealFlags
from protocol.games.game import Game

#: Columns, where no terminal says how many.
PAGE = 100


def simulate_hands(
    game: Game,
    bots: Sequence[str],
    hands: int,
    reset_stacks: bool,
    seed: str,
    as_json: bool,
    fair: DealFlags,
    computed: Keeping,
) -> None:
    """Play hands, and print what each bot won.

    Raises:
        SimulationError: an unknown bot or one of other games, too few or too many, a stack that does not pay for one
            hand, or flags that do not go together.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    check_hands(game, bots[:2] if fair.cross else bots)
    if fair.cross:
        crossed = cross_hands(game, bots, hands, reset_stacks, seed, computed)
        if as_json:
            print(json.dumps(crossed.as_dict(), indent=2))
        else:
            console = Console()
            page = console if console.is_terminal else Console(width=PAGE)
            page.print(crossed_table(crossed))
    else:
        plan = HandPlan(game, tuple(bots), hands, fair.duplicate, reset_stacks, seed)
        print_results(plan, play_plan(plan, computed), as_json)
