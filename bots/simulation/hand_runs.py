"""``casino simulate`` for games without whole games: from flags to what is printed."""

import json
from collections.abc import Sequence

from rich.console import Console

from bots.simulation.duplicate_hands import cross_hands, crossed_table, play_duplicate
from bots.simulation.hand_scores import check_hands, play_scored, print_results
from bots.simulation.plan import SimulationError
from bots.simulation.simulation_flags import DealFlags
from protocol.games.game import Game

#: Columns, where no terminal says how many.
PAGE = 100


def simulate_hands(
    game: Game, bots: Sequence[str], hands: int, reset_stacks: bool, seed: str, as_json: bool, fair: DealFlags
) -> None:
    """Play hands, and print what each bot won.

    Raises:
        SimulationError: an unknown bot, too few or too many, a stack that does not pay for one hand, or flags that do
            not go together.
        BrokenBotError: a bot broke the rules or raised something.
    """
    check_hands(game, bots[:2] if fair.cross else bots)
    if fair.cross:
        crossed = cross_hands(game, bots, hands, reset_stacks, seed, fair.jobs)
        if as_json:
            print(json.dumps(crossed.as_dict(), indent=2))
        else:
            console = Console()
            page = console if console.is_terminal else Console(width=PAGE)
            page.print(crossed_table(crossed))
    elif fair.duplicate:
        print_results(play_duplicate(game, bots, hands, reset_stacks, seed, fair.jobs), hands, seed, as_json)
    elif fair.jobs > 1:
        raise SimulationError("--jobs shares the seatings of --duplicate or the pairs of --cross; give one of them")
    else:
        print_results(play_scored(game, bots, hands, reset_stacks, seed), hands, seed, as_json)
