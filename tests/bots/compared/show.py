"""Show what was measured: tables for people, or the same facts as JSON."""

import os
import platform
from collections.abc import Collection, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from bots.fitting_table import new_table
from tests.bots.compared.contest import Contestant
from tests.bots.compared.measure import Measured
from tests.bots.compared.versions import installed, pinned

TITLES = {
    "limit": "Limit hold'em between two",
    "no-limit": "No-limit hold'em between two",
    "leduc": "Leduc hold'em",
    "roll-outs": "Roll-outs of two cards against any two",
}
PLAYS = {"calls": "checks and calls", "chance": "actions by chance"}


def facts(measured: Sequence[Measured], seconds: float) -> dict[str, Any]:
    """Everything that is known, ready for JSON."""
    return {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "load": list(os.getloadavg()),
        "versions": {name: found for name in sorted(pinned()) if (found := installed(name))},
        "turns": len(measured[0].rates),
        "seconds": seconds,
        "rows": [_row(one, measured) for one in measured],
    }


def _row(one: Measured, measured: Sequence[Measured]) -> dict[str, Any]:
    who = one.contestant
    return {
        "game": who.game,
        "play": who.play,
        "library": who.library,
        "part": who.part,
        "hands_per_second": one.rate,
        "least": min(one.rates),
        "most": max(one.rates),
        "decisions_per_hand": one.decisions,
        "hands_per_turn": one.hands,
        "times_our_rules": times_our_rules(one, measured),
    }


def times_our_rules(one: Measured, measured: Collection[Measured]) -> float | None:
    """How many times as fast as our rules in the same game and play; None where these were not measured."""
    for other in measured:
        if _kind(other.contestant) == (*_kind(one.contestant)[:2], "casino-day", "rules"):
            return one.rate / other.rate
    return None


def _kind(who: Contestant) -> tuple[str, str, str, str]:
    return who.game, who.play, who.library, who.part


def show(measured: Sequence[Measured], seconds: float) -> None:
    """Print a table for each game and play, the fastest first."""
    told, console = facts(measured, seconds), Console()
    versions = ", ".join(f"{name} {found}" for name, found in told["versions"].items())
    console.print(f"Python {told['python']} on {told['machine']}; {versions}.", highlight=False)
    console.print(
        f"Hands a second of processor time: medians of {told['turns']} turns of about {seconds:g} s each, the least "
        "and the most. Ratio: to our rules. Decisions: in a hand.",
        highlight=False,
    )
    for game, play in dict.fromkeys((row["game"], row["play"]) for row in told["rows"]):
        console.print()
        console.print(_table(game, play, [row for row in told["rows"] if (row["game"], row["play"]) == (game, play)]))


def _table(game: str, play: str, rows: Sequence[dict[str, Any]]) -> Table:
    table = new_table(TITLES[game] + ("" if game == "roll-outs" else f", {PLAYS[play]}"))
    table.add_column("Library")
    for heading in ("Median", "Least", "Most", "Ratio", "Decisions"):
        table.add_column(heading, justify="right")
    for row in sorted(rows, key=lambda row: -row["hands_per_second"]):
        rates = [f"{row[name]:,.0f}" for name in ("hands_per_second", "least", "most")]
        others = [f"{row[name]:.2f}" if row[name] else "-" for name in ("times_our_rules", "decisions_per_hand")]
        table.add_row(f"{row['library']}, {row['part']}", *rates, *others)
    return table
