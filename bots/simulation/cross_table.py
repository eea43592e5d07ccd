"""Let every two bots play each other, and tabulate chips won a hand and games won.

Each deal is played in both seats, so that neither cards nor seats favour a bot.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from rich.console import Group
from rich.text import Text

from bots.simulation.crossed_table import CrossedTable, chips_text
from bots.simulation.folding import Keeping, SumsFold, fold_shards
from bots.simulation.kernel_choice import pick_engine
from bots.simulation.plan import Engine, Plan, SimulationError, check_plan
from bots.simulation.tally import Tally
from bots.simulation.whole_games import Shard, play_shard
from protocol.estimates.intervals import Estimate
from protocol.games.game import Game
from protocol.plurals import counted

#: How many bots a table of 100 columns holds.
BOTS = range(2, 7)


class Score(NamedTuple):
    """One bot against another.

    Attributes:
        chips_per_hand: won, on average.
        win_rate: share of games won.
    """

    chips_per_hand: Estimate
    win_rate: Estimate


@dataclass(frozen=True, slots=True)
class Cross:
    """All pairs.

    Attributes:
        game: what was played.
        seed: any text.
        bots: by name.
        games: of each pair.
        scores: of each bot, against each other.
        engines: what played each pair.
    """

    game: Game
    seed: str
    bots: Sequence[str]
    games: int
    scores: dict[tuple[int, int], Score]
    engines: dict[tuple[int, int], Engine]


def play_cross(
    bots: Sequence[str], game: Game, games: int, seed: str, computed: Keeping, engine: Engine | None
) -> Cross:
    """Let every two bots play ``games`` games (rounded up to an even number), with a progress bar on standard error.

    Raises:
        SimulationError: too few bots or too many, one named twice or not installed, or an engine that cannot play.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    if len(bots) not in BOTS or len(set(bots)) < len(bots):
        raise SimulationError(f"a cross table needs {BOTS[0]} to {BOTS[-1]} different bots, got {' '.join(bots)}")
    pairs = list(combinations(range(len(bots)), 2))
    plans = [Plan((bots[first], bots[second]), game, -(-games // 2), True, seed) for first, second in pairs]
    for plan in plans:
        check_plan(plan)
    plans = [pick_engine(plan, engine) for plan in plans]
    fold = SumsFold([plan.new_tally() for plan in plans], [len(plan.shards) for plan in plans])
    shards = [Shard(plan, blocks, apart=False) for plan in plans for blocks in plan.shards]
    about = {**plans[0].as_dict(), "bots": bots, "engine": [plan.engine for plan in plans], "cross": True}
    fold_shards(computed, about, play_together, shards, fold)
    scores = {}
    for (first, second), tally in zip(pairs, fold.tallies, strict=True):
        scores[first, second], scores[second, first] = _score(tally, 0), _score(tally, 1)
    engines = {pair: plan.engine for pair, plan in zip(pairs, plans, strict=True)}
    return Cross(game, seed, bots, 2 * plans[0].deals, scores, engines)


def play_together(shard: Shard) -> Tally:
    """One tally of all blocks of a shard."""
    (tally,) = play_shard(shard)
    return tally


def _score(tally: Tally, player: int) -> Score:
    return Score(tally.chips_per_hand(player), tally.win_rate(player))


def cross_facts(cross: Cross) -> dict[str, Any]:
    """The facts; chips in chips, rates from 0 to 1, intervals at 95 %."""
    return {
        "game": cross.game.name,
        **cross.game.facts,
        "seed": cross.seed,
        "games": cross.games,
        "scores": [
            {
                "bot": cross.bots[row],
                "against": cross.bots[column],
                "engine": cross.engines[min(row, column), max(row, column)],
                "chips_per_hand": score.chips_per_hand.value,
                "interval": score.chips_per_hand.interval,
                "win_rate": score.win_rate.value,
                "win_rate_interval": score.win_rate.interval,
            }
            for (row, column), score in sorted(cross.scores.items())
        ],
    }


def cross_table(cross: Cross) -> Group:
    """Rows against columns, or a list on a narrow terminal, with what the numbers mean."""
    engines = " and ".join(sorted(set(cross.engines.values())))
    games = counted(cross.games, "game")
    return Group(
        f"{cross.game.name.capitalize()}: chips a hand and games won by the bot on the left; every two play {games}",
        "",
        CrossedTable(cross.bots, {pair: _cell(score) for pair, score in cross.scores.items()}),
        f"played by {engines}, each deal in both seats",
        "± half the 95 % interval of chips a hand; then games won and their 95 % interval",
        Text(f"the same again: --seed {shlex.quote(cross.seed)}"),
    )


def _cell(score: Score) -> str:
    """Chips a hand, the share of games won and, because it is not symmetric, its interval: a line each."""
    chips, rate = score
    return f"{chips_text(chips, ' ')}\n{rate.value:.1%}\n{rate.low * 100:.1f}-{rate.high:.1%}"
