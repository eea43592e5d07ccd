"""The results of a simulation, as JSON and as a table for the terminal: whole games first, then single hands."""

import shlex
from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.text import Text

from bots.command_line import RESET_STACKS
from bots.fitting_table import FittingTable, signed
from bots.simulation.conclusion import Verdict
from bots.simulation.hand_tally import Result
from bots.simulation.plan import Plan
from bots.simulation.whole_games import Outcome
from dealer.cli.tables import new_table
from protocol.plurals import counted

#: From so many deals on a variance is known well enough to compare it with another one: to about a quarter.
ENOUGH_DEALS = 30


def outcome_facts(outcome: Outcome) -> dict[str, Any]:
    """The facts: chips in chips, rates from 0 to 1, intervals at 95 %; None for what too few games leave open."""
    plan, tally, verdict = outcome.plan, outcome.tally, outcome.verdict
    pair = tally.pairs[0, 1]
    return {
        "game": plan.game.name,
        **plan.game.facts,
        "seed": plan.seed,
        "engine": plan.engine,
        "games": tally.games,
        "deals": tally.deals,
        "players": [_player_facts(outcome, player) for player in range(len(outcome.names))],
        "average_pot": tally.average_pot,
        "p_value": verdict.p_value,
        "p_value_chips": pair.deals.p_value if chips_test(outcome) else None,
        "level": outcome.level,
        "stops_when_decided": outcome.sequential,
        "verdict": verdict.words,
        "decided": verdict.decided,
        "more_games": verdict.more,
        "variance_ratio": _variance_ratio(outcome),
    }


def chips_test(outcome: Outcome) -> bool:
    """Whether the difference in chips can be tested: between two players, in games that were not stopped early."""
    return len(outcome.names) == 2 and not outcome.sequential


def _variance_ratio(outcome: Outcome) -> float | None:
    """What duplicates left of the variance between the first two; None without duplicates, or with too few deals."""
    known = outcome.plan.duplicate and outcome.tally.deals >= ENOUGH_DEALS
    return outcome.tally.variance_ratio((0, 1)) if known else None


def _player_facts(outcome: Outcome, player: int) -> dict[str, Any]:
    tally = outcome.tally
    mine = tally.players[player]
    return {
        "bot": outcome.names[player],
        "chips_per_game": tally.chips_per_game(player).value,
        "chips_per_game_interval": tally.chips_per_game(player).interval,
        "won": mine.won,
        "drawn": mine.drawn,
        "lost": tally.games - mine.won - mine.drawn,
        "win_rate": tally.win_rate(player).value,
        "win_rate_interval": tally.win_rate(player).interval,
        "chips_per_hand": tally.chips_per_hand(player).value,
        "interval": tally.chips_per_hand(player).interval,
        "folds": mine.folds,
    }


_HEADINGS = (
    "Chips a\ngame",
    "Games\nwon",
    "\ndrawn",
    "\nlost",
    "Win\nrate",
    "95 %\nfrom",
    "\nto",
    "Chips a\nhand",
    "95 %\nfrom",
    "\nto",
    "Folds",
)

#: The same columns where each stands in a line of its own.
_LABELS = (
    "bot",
    "chips a game",
    "games won",
    "games drawn",
    "games lost",
    "win rate",
    "win rate, 95 % from",
    "win rate, 95 % to",
    "chips a hand",
    "chips a hand, 95 % from",
    "chips a hand, 95 % to",
    "folds",
)


def outcome_text(outcome: Outcome) -> Group:
    """The scores as a terminal of 100 columns shows them, on a narrower one as a list; and the verdict."""
    table = new_table(title(outcome))
    table.add_column("Bot", no_wrap=True)
    for heading in _HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    for player, name in enumerate(outcome.names):
        table.add_row(Text(name), *_cells(outcome, player))
    return Group(FittingTable(table, _LABELS), "", *(Text(line) for line in closing_lines(outcome)))


def title(outcome: Outcome) -> str:
    """What was played, by which engine."""
    tally, plan = outcome.tally, outcome.plan
    games = counted(tally.games, "game")
    games += f" ({counted(tally.deals, 'deal')}, each in every seating)" if plan.duplicate else ""
    return f"{plan.game.name.capitalize()}: {games} of {counted(tally.hands, 'hand')}, by the {plan.engine}"


def _cells(outcome: Outcome, player: int) -> list[str]:
    tally = outcome.tally
    mine, rate, chips = tally.players[player], tally.win_rate(player), tally.chips_per_hand(player)
    return [
        f"{tally.chips_per_game(player).value:,.1f}",
        *(f"{count:,}" for count in (mine.won, mine.drawn, tally.games - mine.won - mine.drawn)),
        *(f"{share:.1%}" for share in rate),
        *signed(chips),
        f"{mine.folds:,}",
    ]


def closing_lines(outcome: Outcome) -> Sequence[str]:
    """The lines below the table: pots, tests, verdict."""
    tally, verdict = outcome.tally, outcome.verdict
    lines = [f"average pot {tally.average_pot:.1f}; the same again: --seed {shlex.quote(outcome.plan.seed)}"]
    if (ratio := _variance_ratio(outcome)) is not None:
        lines.append(f"duplicates removed {1 - ratio:.1%} of the variance between the first two")
    test = _test_words(verdict)
    if chips_test(outcome):
        test += f"; p {_rounded(tally.pairs[0, 1].deals.p_value)} for chips"
    if outcome.sequential:
        lines.append(f"games are looked at all the time, to stop at p = {outcome.level:g}; p allows for that")
        lines.append("the intervals do not: stopping early flatters the winner")
    return [*lines, test, verdict.words]


def _test_words(verdict: Verdict) -> str:
    """The p-value, and of which two players it is if there are more than two."""
    p_value = f"p {_rounded(verdict.p_value)}"
    if verdict.comparisons == 1:
        return f"{p_value} for games won, null: even"
    return (
        f"{p_value} for {verdict.leader} ending ahead of {verdict.rival}, null: even; "
        f"corrected for {counted(verdict.comparisons, 'comparison')}"
    )


def _rounded(p_value: float) -> str:
    return f"= {p_value:.3f}" if p_value >= 0.001 else "< 0.001"


def hands_facts(plan: Plan, results: Sequence[Result]) -> dict[str, Any]:
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


def hands_text(plan: Plan, results: Sequence[Result]) -> Group:
    """The scores as a terminal shows them, on a narrow one as a list."""
    deals = f"{counted(plan.deals, 'deal')}, each in every seating" if plan.duplicate else counted(plan.deals, "hand")
    table = new_table(f"{plan.game.name.capitalize()}: {deals}")
    headings = ("Seat", "Bot", "Chips a hand", "from", "to", "Hands", "Won")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "Bot" else "right", no_wrap=True)
    for seat, result in enumerate(results):
        won = f"{result.won / max(result.hands, 1):.1%}"
        table.add_row(str(seat), Text(result.bot), *signed(result.chips_per_hand), str(result.hands), won)
    notes = ("", "from, to: the 95 % interval of chips a hand", f"the same again: --seed {shlex.quote(plan.seed)}")
    return Group(FittingTable(table, [heading.lower() for heading in headings]), *map(Text, notes))
