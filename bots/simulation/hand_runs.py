"""``casino simulate`` for games without whole games: from flags to what is printed."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from rich.console import Console, Group
from rich.text import Text

from bots.command_line import RESET_STACKS
from bots.simulation.crossed_table import CrossedTable, chips_text
from bots.simulation.folding import Keeping
from bots.simulation.hand_blocks import HandPlan
from bots.simulation.hand_scores import check_hands, play_plan, play_plans, print_results
from bots.simulation.plan import SimulationError, check_seats
from bots.simulation.simulation_flags import DealFlags
from protocol.estimates.intervals import Estimate
from protocol.games.game import Game
from protocol.plurals import counted


@dataclass(frozen=True, slots=True)
class CrossedHands:
    """Every two of some bots against each other.

    Attributes:
        game: what was played.
        seed: any text.
        bots: by name.
        deals: of each pair, each played in both seats.
        reset_stacks: whether everybody has the first stack again before every hand.
        scores: chips a hand of a bot against another, by their places in ``bots``.
    """

    game: Game
    seed: str
    bots: Sequence[str]
    deals: int
    reset_stacks: bool
    scores: dict[tuple[int, int], Estimate]

    def as_dict(self) -> dict[str, Any]:
        """The facts; chips in chips, intervals at 95 %."""
        scores = [
            {
                "bot": self.bots[row],
                "against": self.bots[column],
                "chips_per_hand": score.value,
                "interval": score.interval,
            }
            for (row, column), score in sorted(self.scores.items())
        ]
        return {
            "game": self.game.name,
            **self.game.facts,
            "seed": self.seed,
            "deals": self.deals,
            RESET_STACKS: self.reset_stacks,
            "scores": scores,
        }


def cross_hands(
    game: Game, bots: Sequence[str], deals: int, reset_stacks: bool, seed: str, computed: Keeping
) -> CrossedHands:
    """Let every two bots play so many deals in both seats, with a progress bar on standard error.

    Raises:
        SimulationError: too few bots, one named twice or not installed, or a checkpoint that cannot be used.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise SimulationError(f"a cross table needs at least 2 different bots, got {' '.join(bots)}")
    check_seats(game, bots[:2])
    pairs = list(combinations(range(len(bots)), 2))
    plans = [HandPlan(game, (bots[first], bots[second]), deals, True, reset_stacks, seed) for first, second in pairs]
    scores = {}
    for (first, second), tally in zip(pairs, play_plans(plans, computed), strict=True):
        one, other = tally.results
        scores[first, second], scores[second, first] = one.chips.estimate, other.chips.estimate
    return CrossedHands(game, seed, bots, deals, plans[0].can_be_cut, scores)


def crossed_table(crossed: CrossedHands) -> Group:
    """Rows against columns, or a list on a narrow terminal; half the interval below each mean."""
    name, deals = crossed.game.name.capitalize(), counted(crossed.deals, "deal")
    return Group(
        f"{name}: chips a hand won by the bot on the left; every two play {deals}, each in both seats",
        "",
        CrossedTable(crossed.bots, {pair: chips_text(score, "\n") for pair, score in crossed.scores.items()}),
        "± half the 95 % interval",
        Text(f"the same again: --seed {shlex.quote(crossed.seed)}"),
    )


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
