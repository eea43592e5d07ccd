"""The standings of a bulk tournament: as JSON, as tables for the terminal, and as the page of ``--report``."""

import shlex
from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bots.bulk.plan import Plan
from bots.bulk.standings import Row, Standings
from bots.fitting_table import CrossTable, FittingTable
from bots.report_file import Cell, Part, write_page
from dealer.cli.tables import new_table, signed
from protocol.estimates.intervals import Estimate

#: Players up to whom the cross table is shown in the terminal; JSON has it for all.
CROSS = 10

_HEADINGS = ("Place", "Player", "Id", "Chips a\ndeal", "95 %\nfrom", "\nto", "Deals", "Time a\ncall", "Init", "Memory")

#: The same as words, for lists and for the report.
LABELS = ("place", "player", "id", "chips a deal", "95 % from", "to", "deals", "time a call", "Init", "memory")


def standings_facts(standings: Standings) -> dict[str, Any]:
    """The facts: chips in chips, times in seconds, memory in bytes, intervals at 95 %; None for what is not known."""
    plan = standings.plan
    return {
        "game": "dice",
        "seed": plan.seed,
        "rounds": plan.rounds,
        "series": plan.series,
        "deals": sum(row.deals for row in standings.rows) // 2,
        "play_seconds": standings.play_seconds,
        "standings": [_row_facts(row) for row in standings.rows],
        "cross": [
            {
                "player": player,
                "against": other,
                "chips_per_deal": found.value,
                "interval": found.interval,
            }
            for player, line in enumerate(standings.cross)
            for other, found in enumerate(line)
            if found is not None
        ],
    }


def _row_facts(row: Row) -> dict[str, Any]:
    chips = row.chips_per_deal
    return {
        "place": row.place,
        "player": row.player,
        "name": row.name,
        "source": row.source,
        "deals": row.deals,
        "chips": row.chips,
        "chips_per_deal": None if chips is None else chips.value,
        "interval": None if chips is None else chips.interval,
        "call_seconds": row.call_seconds,
        "init_seconds": row.init_seconds,
        "memory": row.memory,
        "failed": row.failed,
        "violations": list(row.violations),
    }


def standings_text(standings: Standings) -> Group:
    """The standings, the cross table of few players, and what authors must be told."""
    plan = standings.plan
    parts: list[RenderableType] = [FittingTable(_table(standings), LABELS), ""]
    if len(standings.rows) <= CROSS:
        parts += [Text("Chips a deal of the player on the left", "bold"), _cross_table(standings), ""]
    for row in standings.rows:
        parts += [Text(f"{row.name}: {violation}") for violation in row.violations]
    parts.append(Text(_again(plan)))
    return Group(*parts)


def standings_title(plan: Plan) -> str:
    """What was played."""
    series = f"{plan.series} tournaments of " if plan.series > 1 else ""
    return f"Dice: {series}{plan.rounds:,} rounds"


def _table(standings: Standings) -> Table:
    table = new_table(standings_title(standings.plan))
    for heading in _HEADINGS:
        table.add_column(heading, justify="left" if heading == "Player" else "right", no_wrap=True)
    for row in standings.rows:
        table.add_row(*map(Text, cells_of(row)))
    return table


def cells_of(row: Row) -> Sequence[str]:
    """A line of the standings, by ``LABELS``."""
    return (
        str(row.place),
        row.name,
        str(row.player),
        *(("-",) * 3 if row.chips_per_deal is None else signed(row.chips_per_deal, ".4f")),
        f"{row.deals:,}",
        "-" if row.call_seconds is None else f"{row.call_seconds * 1e6:.2f} us",
        "-" if row.init_seconds is None else f"{row.init_seconds:.1f} s",
        "-" if row.memory is None else f"{row.memory / 2**20:.1f} MB",
    )


def _cross_table(standings: Standings) -> CrossTable:
    order = [row.player for row in standings.rows]
    won = {(row, at): standings.cross[one][other] for row, one in enumerate(order) for at, other in enumerate(order)}
    cells = {pair: f"{found.value:+.4f}" for pair, found in won.items() if found is not None}
    return CrossTable([standings.names[player] for player in order], cells)


def report_page(standings: Standings) -> str:
    """The text of the page."""
    order = [row.player for row in standings.rows]
    rows: list[list[str | Cell]] = [list(cells_of(row)) for row in standings.rows]
    for cells, row in zip(rows, standings.rows, strict=True):
        cells[1] = Cell(row.name, kind="name")
    cross: list[list[str | Cell]] = [
        [standings.names[one], *(_cell(standings.cross[one][other]) for other in order)] for one in order
    ]
    told = [f"{row.name}: {violation}" for row in standings.rows for violation in row.violations]
    measured = (
        "The interval of chips a deal is at 95 %. Times are processor time. A dash stands for what was not measured."
    )
    colours = "Green and red cells are gains and losses that the 95 % interval shows."
    names = ["", *(standings.names[player] for player in order)]
    told = told or ["Nobody exceeded a limit, and nobody failed."]
    parts = [
        Part("", "", [label[0].upper() + label[1:] for label in LABELS], rows, [measured]),
        Part("Chips a deal of the player on the left", "", names, cross, [colours]),
        Part("What authors must be told", "", (), (), [*told, _again(standings.plan)]),
    ]
    return write_page(standings_title(standings.plan), parts)


def _again(plan: Plan) -> str:
    return f"the same again: --seed {shlex.quote(plan.seed)}"


def _cell(found: Estimate | None) -> Cell:
    if found is None:
        return Cell("-")
    kind = "won" if found.low > 0 else "lost" if found.high < 0 else ""
    interval = "" if found.interval is None else "{:+.4f} to {:+.4f}".format(*found.interval)
    return Cell(f"{found.value:+.4f}", interval, kind)
