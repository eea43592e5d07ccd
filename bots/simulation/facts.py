"""The results of a simulation, as JSON and as a table for the terminal; those of ``--cross`` as well."""

import shlex
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from rich.console import Group
from rich.text import Text

from bots.fitting_table import CrossTable, FittingTable, Pair
from bots.simulation.conclusion import Verdict
from bots.simulation.engine import Outcome
from dealer.cli.tables import new_table, signed
from protocol.estimates.intervals import Estimate
from protocol.plurals import counted

#: From so many deals on a variance is known well enough to compare it with another one: to about a quarter.
ENOUGH_DEALS = 30


def outcome_facts(outcome: Outcome) -> dict[str, Any]:
    """The facts: chips in chips, rates from 0 to 1, intervals at 95 %; None for what too few deals leave open."""
    plan, tally, verdict = outcome.plan, outcome.tally, outcome.verdict
    return {
        "game": plan.game.name,
        **plan.game.facts,
        "seed": plan.seed,
        "engine": plan.engine,
        "deals": tally.deals,
        "duplicate": plan.duplicate,
        "scores": [{"bot": name, **_score(outcome, player)} for player, name in enumerate(outcome.names)],
        "average_pot": tally.average_pot,
        "p_value": verdict.p_value,
        "p_value_chips": tally.both[0].deals.p_value if _has_chips_test(outcome) else None,
        "level": outcome.level,
        "stops_when_decided": outcome.sequential,
        "verdict": verdict.words,
        "decided": verdict.decided,
        "unlikely_above": verdict.unlikely_above,
        "variance_ratio": _variance_ratio(outcome),
    }


def _score(outcome: Outcome, player: int) -> dict[str, Any]:
    tally = outcome.tally
    mine, chips, rate = tally.players[player], tally.chips_per_hand(player), tally.win_rate(player)
    return {
        "chips_per_hand": chips.value,
        "interval": chips.interval,
        "won": mine.won,
        "drawn": mine.drawn,
        "lost": tally.plays - mine.won - mine.drawn,
        "win_rate": rate.value,
        "win_rate_interval": rate.interval,
        "folds": mine.folds,
    }


def _has_chips_test(outcome: Outcome) -> bool:
    """Whether the difference in chips can be tested: between two players, in a simulation that never stops early."""
    return len(outcome.names) == 2 and not outcome.sequential


def _variance_ratio(outcome: Outcome) -> float | None:
    """What duplicates left of the variance between the first two; None without duplicates, or with too few deals."""
    plan = outcome.plan
    known = plan.duplicate and not plan.against and outcome.tally.deals >= ENOUGH_DEALS
    return outcome.tally.variance_ratio((0, 1)) if known else None


def played_words(outcome: Outcome) -> str:
    """What was played, by which engine."""
    plan = outcome.plan
    return f"{plan.game.name.capitalize()}: {plan.counted(outcome.tally.deals)}, by the {plan.engine}"


def in_unit(outcome: Outcome, player: int) -> Estimate:
    """What a player won, in the unit of the plan."""
    return outcome.tally.chips_per_hand(player).scaled(outcome.plan.game.unit[1])


def outcome_text(outcome: Outcome) -> Group:
    """The scores as a terminal of 100 columns shows them, on a narrower one as a list; and the verdict."""
    unit, plays = outcome.plan.game.unit[0], f"{outcome.plan.play}s"
    table = new_table(played_words(outcome))
    table.add_column("Bot", no_wrap=True)
    headings = [f"{plays.capitalize()}\nwon", "\ndrawn", "\nlost", "Win\nrate", "95 %\nfrom", "\nto"]
    headings += [unit.capitalize().replace(" in ", "\nin ").replace(" a ", " a\n"), "95 %\nfrom", "\nto", "Folds"]
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for player, name in enumerate(outcome.names):
        tally, mine = outcome.tally, outcome.tally.players[player]
        counts = (mine.won, mine.drawn, tally.plays - mine.won - mine.drawn)
        table.add_row(
            Text(name),
            *(f"{count:,}" for count in counts),
            *(f"{share:.1%}" for share in tally.win_rate(player)),
            *signed(in_unit(outcome, player)),
            f"{mine.folds:,}",
        )
    labels = ["bot", f"{plays} won", f"{plays} drawn", f"{plays} lost"]
    labels += [f"{name}{end}" for name in ("win rate", unit) for end in ("", ", 95 % from", ", 95 % to")]
    return Group(FittingTable(table, [*labels, "folds"]), "", *(Text(line) for line in closing_lines(outcome)))


def closing_lines(outcome: Outcome) -> Sequence[str]:
    """The lines below the table: pots, tests, verdict."""
    tally, verdict = outcome.tally, outcome.verdict
    lines = [f"average pot {tally.average_pot:.1f}; {_again(outcome)}"]
    if (ratio := _variance_ratio(outcome)) is not None:
        lines.append(f"duplicates removed {1 - ratio:.1%} of the variance between the first two")
    test = _test_words(verdict, outcome.plan.in_games)
    if outcome.plan.in_games and _has_chips_test(outcome):
        test += f"; p {_rounded(tally.both[0].deals.p_value)} for chips"
    if outcome.sequential:
        lines.append(f"results are looked at all the time, to stop at p = {outcome.level:g}; p allows for that")
        lines.append("the intervals do not: stopping early flatters the winner")
    return [*lines, test, verdict.words]


def _again(outcome: Outcome) -> str:
    return f"the same again: --seed {shlex.quote(outcome.plan.seed)}"


def _test_words(verdict: Verdict, in_games: bool) -> str:
    """The p-value, and of which two players it is if there are more than two."""
    p_value = f"p {_rounded(verdict.p_value)}"
    if verdict.comparisons == 1:
        return f"{p_value} for {'games won' if in_games else 'chips'}, null: even"
    return (
        f"{p_value} for {verdict.leader} {'ending ahead of' if in_games else 'winning more than'} {verdict.rival}, "
        f"null: even; corrected for {counted(verdict.comparisons, 'comparison')}"
    )


def _rounded(p_value: float) -> str:
    return f"= {p_value:.3f}" if p_value >= 0.001 else "< 0.001"


# Every two bots.


def _by_pair(bots: Sequence[str], outcomes: Sequence[Outcome]) -> Mapping[Pair, tuple[Outcome, int]]:
    """Of each bot against each other, what was found, and which player of it the first one is."""
    found = {}
    for (first, second), outcome in zip(combinations(range(len(bots)), 2), outcomes, strict=True):
        found[first, second], found[second, first] = (outcome, 0), (outcome, 1)
    return dict(sorted(found.items()))


def cross_facts(bots: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The facts of every two bots, as ``outcome_facts`` tells them."""
    first, scores = outcome_facts(outcomes[0]), []
    for (row, column), (outcome, player) in _by_pair(bots, outcomes).items():
        found = outcome_facts(outcome)
        about = {name: found[name] for name in ("engine", "deals", "p_value", "decided")}
        scores.append({"bot": bots[row], "against": bots[column], **about, **_score(outcome, player)})
    of_all = ("game", *outcomes[0].plan.game.facts, "seed", "deals", "duplicate", "level", "stops_when_decided")
    return {**{name: first[name] for name in of_all}, "deals": outcomes[0].plan.deals, "scores": scores}


def cross_title(outcomes: Sequence[Outcome]) -> str:
    """What the numbers of a cross table are."""
    plan = outcomes[0].plan
    return f"{plan.game.name.capitalize()}: {plan.game.unit[0]} and {plan.play}s won by the bot on the left"


def cross_notes(outcomes: Sequence[Outcome]) -> Sequence[str]:
    """What was played, what the numbers mean, and how to get the same again."""
    plan = outcomes[0].plan
    engines = " and ".join(sorted({outcome.plan.engine for outcome in outcomes}))
    most = f", or fewer if it is certain at {outcomes[0].level:g}" if outcomes[0].sequential else ""
    return [
        f"every two play {plan.counted(plan.deals)}, by the {engines}{most}",
        f"± half the 95 % interval of {plan.game.unit[0]}; then {plan.play}s won and their 95 % interval",
        _again(outcomes[0]),
    ]


def cross_table(bots: Sequence[str], outcomes: Sequence[Outcome]) -> CrossTable:
    """What each bot won against each other one."""
    cells = {
        pair: cross_cell(in_unit(outcome, player), outcome.tally.win_rate(player))
        for pair, (outcome, player) in _by_pair(bots, outcomes).items()
    }
    return CrossTable(bots, cells)


def cross_text(bots: Sequence[str], outcomes: Sequence[Outcome]) -> Group:
    """Rows against columns, or a list on a narrow terminal, with what the numbers mean."""
    return Group(cross_title(outcomes), "", cross_table(bots, outcomes), *map(Text, cross_notes(outcomes)))


def cross_cell(won: Estimate, rate: Estimate) -> str:
    """What was won, and the share of plays won with its interval, which is not symmetric: a line each."""
    half = "" if won.interval is None else f" ±{(won.high - won.low) / 2:.2f}"
    return f"{won.value:+z.2f}{half}\n{rate.value:.1%}\n{rate.low * 100:.1f}-{rate.high:.1%}"
