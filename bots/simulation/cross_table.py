"""Let every two bots play each other, and tabulate chips won a hand, and games won where there are whole games.

Each deal is played in both seats, so that neither cards nor seats favour a bot.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.text import Text

from bots.command_line import RESET_STACKS
from bots.simulation.folding import Keeping, SumsFold, fold_shards
from bots.simulation.hand_tally import HandTally
from bots.simulation.plan import Engine, Plan, SimulationError, check_plan, pick_engine
from bots.simulation.single_hands import play_plans
from bots.simulation.tally import Tally
from bots.simulation.whole_games import Shard, play_shard
from dealer.cli.tables import new_table
from protocol.estimates.intervals import Estimate
from protocol.games.game import Game
from protocol.plurals import counted

#: Characters that are enough for the name of a row: longer names go on in the next line.
LEAST_NAME = 6

#: Two bots, by their places.
Pair = tuple[int, int]


class Score(NamedTuple):
    """One bot against another.

    Attributes:
        chips_per_hand: won, on average.
        win_rate: share of games won; None in a game without whole games.
    """

    chips_per_hand: Estimate
    win_rate: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Cross:
    """All pairs.

    Attributes:
        plans: of each pair, the bot named first before the other; they are alike but for the bots and what plays them.
        scores: of each bot, against each other.
    """

    bots: Sequence[str]
    plans: Mapping[Pair, Plan]
    scores: Mapping[Pair, Score]

    @property
    def plan(self) -> Plan:
        """That of the first pair."""
        return self.plans[0, 1]


def play_cross(
    bots: Sequence[str],
    game: Game,
    deals: int,
    seed: str,
    computed: Keeping,
    engine: Engine | None = None,
    reset_stacks: bool = False,
) -> Cross:
    """Let every two bots play so many deals in both seats, with a progress bar on standard error.

    Raises:
        SimulationError: too few bots, one named twice or not installed, an engine that cannot play, or a checkpoint
            that cannot be used.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise SimulationError(f"a cross table needs at least 2 different bots, got {' '.join(bots)}")
    pairs = list(combinations(range(len(bots)), 2))
    plans = [
        Plan((bots[first], bots[second]), game, deals, True, seed, reset_stacks=reset_stacks) for first, second in pairs
    ]
    tallies: Sequence[Tally] | Sequence[HandTally]
    if game.in_games:
        for plan in plans:
            check_plan(plan)
        plans = [pick_engine(plan, engine) for plan in plans]
        tallies = _play_games(plans, computed)
    else:
        tallies = play_plans(plans, computed)
    scores = {}
    for place, (first, second) in enumerate(pairs):
        scores[first, second], scores[second, first] = _score(tallies[place], 0), _score(tallies[place], 1)
    return Cross(bots, dict(zip(pairs, plans, strict=True)), scores)


def _play_games(plans: Sequence[Plan], computed: Keeping) -> Sequence[Tally]:
    fold = SumsFold([Tally.start(plan) for plan in plans], [len(plan.shards) for plan in plans])
    shards = [Shard(plan, blocks, apart=False) for plan in plans for blocks in plan.shards]
    of_each = {"bots": [plan.bots for plan in plans], "engine": [plan.engine for plan in plans]}
    fold_shards(computed, {**plans[0].as_dict(), **of_each, "cross": True}, play_together, shards, fold)
    return fold.tallies


def play_together(shard: Shard) -> Tally:
    """One tally of all blocks of a shard."""
    (tally,) = play_shard(shard)
    return tally


def _score(tally: Tally | HandTally, player: int) -> Score:
    rate = tally.win_rate(player) if isinstance(tally, Tally) else None
    return Score(tally.chips_per_hand(player), rate)


def cross_facts(cross: Cross) -> dict[str, Any]:
    """The facts; chips in chips, rates from 0 to 1, intervals at 95 %."""
    plan = cross.plan
    played: dict[str, Any] = {"games": plan.deals * plan.seatings}
    if not plan.game.in_games:
        played = {"deals": plan.deals, RESET_STACKS: plan.can_be_cut}
    scores = [_score_facts(cross, pair) for pair in sorted(cross.scores)]
    return {"game": plan.game.name, **plan.game.facts, "seed": plan.seed, **played, "scores": scores}


def _score_facts(cross: Cross, pair: Pair) -> dict[str, Any]:
    (row, column), (chips, rate) = pair, cross.scores[pair]
    facts = {
        "bot": cross.bots[row],
        "against": cross.bots[column],
        "chips_per_hand": chips.value,
        "interval": chips.interval,
    }
    if rate is not None:
        engine = cross.plans[min(pair), max(pair)].engine
        facts |= {"engine": engine, "win_rate": rate.value, "win_rate_interval": rate.interval}
    return facts


def cross_table(cross: Cross) -> Group:
    """Rows against columns, or a list on a narrow terminal, with what the numbers mean."""
    plan = cross.plan
    name, deals = plan.game.name.capitalize(), plan.deals
    if plan.game.in_games:
        engines = " and ".join(sorted({plan.engine for plan in cross.plans.values()}))
        games = counted(deals * plan.seatings, "game")
        title = f"{name}: chips a hand and games won by the bot on the left; every two play {games}"
        notes = [
            f"played by {engines}, each deal in both seats",
            "± half the 95 % interval of chips a hand; then games won and their 95 % interval",
        ]
    else:
        title = f"{name}: chips a hand won by the bot on the left; every two play {counted(deals, 'deal')}"
        title += ", each in both seats"
        notes = ["± half the 95 % interval"]
    table = CrossedTable(cross.bots, {pair: _cell(score) for pair, score in cross.scores.items()})
    return Group(title, "", table, *notes, Text(f"the same again: --seed {shlex.quote(plan.seed)}"))


def _cell(score: Score) -> str:
    """Chips a hand and, in games, the share of them won with its interval, which is not symmetric: a line each."""
    chips, rate = score
    between = "\n" if rate is None else " "
    half = "" if chips.interval is None else f"{between}±{(chips.high - chips.low) / 2:.2f}"
    text = f"{chips.value:+z.2f}{half}"
    return text if rate is None else f"{text}\n{rate.value:.1%}\n{rate.low * 100:.1f}-{rate.high:.1%}"


@dataclass(frozen=True, slots=True)
class CrossedTable:
    """Rows against columns, or a list with the same cells where a number of the table would be cut.

    Attributes:
        cells: what to show of the bot of a row against that of a column, by their places in ``bots``.
    """

    bots: Sequence[str]
    cells: Mapping[Pair, str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the table with the widest columns that fit, or the list."""
        for widths in self._column_widths():
            if LEAST_NAME + sum(widths) + len(widths) <= options.max_width:
                table = new_table(lines=True, narrow=True)
                table.add_column("", overflow="fold", min_width=LEAST_NAME)
                for name, width in zip(self.bots, widths, strict=True):
                    table.add_column(Text(name), justify="right", overflow="fold", width=width)
                for row, name in enumerate(self.bots):
                    table.add_row(Text(name), *[self.cells.get((row, at), "-") for at in range(len(self.bots))])
                yield table
                return
        for (bot, against), cell in sorted(self.cells.items()):
            yield Text(f"{self.bots[bot]} against {self.bots[against]}: {', '.join(cell.splitlines())}")

    def _column_widths(self) -> Sequence[Sequence[int]]:
        """Characters of each bot's column, the widest first: no name or line of a cell broken, no line, no word."""
        columns = [[cell for (_, at), cell in self.cells.items() if at == place] for place in range(len(self.bots))]
        lines = [_longest([line for cell in cells for line in cell.splitlines()]) for cells in columns]
        words = [_longest([word for cell in cells for word in cell.split()]) for cells in columns]
        named = [max(len(bot), width) for bot, width in zip(self.bots, lines, strict=True)]
        return named, lines, words


def _longest(texts: Sequence[str]) -> int:
    return max(map(len, texts), default=1)
