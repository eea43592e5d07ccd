"""Results of a command: as JSON, as CSV, or in a table that becomes a list where the terminal is too narrow for it."""

import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement, measure_renderables
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dealer.cli.output import safe_cell
from dealer.cli.tables import new_table
from dealer.errors import OptionError

#: Wider than every terminal: what is measured there takes the room that it wants.
UNLIMITED = 10_000


@dataclass(frozen=True, slots=True)
class FittingTable:
    """A table, or a list with the same cells where a word of the table would be cut.

    Attributes:
        table: has texts as cells, and at most one column that may wrap. Its first column names what a row is about.
        labels: of its columns, as the list shows them.
    """

    table: Table
    labels: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._least_width(console, options) <= options.max_width:
            yield self.table
            return
        if self.table.title is not None:
            yield _text(self.table.title, console)
        for cells in zip(*(column.cells for column in self.table.columns), strict=True):
            for place, (label, cell) in enumerate(zip(self.labels, cells, strict=True)):
                line = Text.assemble(f"{label}: ", _text(cell, console))
                yield Padding(line, (0, 0, 0, 2 if place else 0), expand=False)

    def _least_width(self, console: Console, options: ConsoleOptions) -> int:
        """Characters that the table needs in a line so that no word is cut."""
        unlimited = options.update(width=UNLIMITED, no_wrap=False)
        width = Measurement.get(console, unlimited, self.table).maximum
        for column in self.table.columns:
            if not column.no_wrap:
                texts = measure_renderables(console, unlimited, [column.header, *column.cells])
                width -= texts.span
        return width


def _text(cell: RenderableType, console: Console) -> Text:
    return cell if isinstance(cell, Text) else console.render_str(str(cell), highlight=False)


#: Characters that are enough for the name of a row: longer names go on in the next line.
LEAST_NAME = 6

#: Two bots, by their places.
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CrossTable:
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
                table = new_table(lines=any("\n" in cell for cell in self.cells.values()), narrow=True)
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


def print_found(
    facts: dict[str, Any], shown: RenderableType, form: str, page: int, rows: str = "", soft_wrap: bool = False
) -> None:
    """Print what was found.

    Args:
        facts: all of it.
        shown: what of it is for people.
        form: ``json``, ``csv``, or empty for what is shown.
        page: columns of what is shown, where no terminal says how many.
        rows: the name of the facts that are a list; each is a line of CSV, with the facts of all beside.
        soft_wrap: whether lines of text may be longer than a terminal.
    """
    if form == "json":
        print(json.dumps(facts, indent=2))
    elif form == "csv":
        of_all = {name: value for name, value in facts.items() if not isinstance(value, list)}
        lines = [dict(_cells("", {**of_all, **row})) for row in facts[rows]]
        writer = csv.DictWriter(sys.stdout, lines[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    else:
        console = Console()
        (console if console.is_terminal else Console(width=page)).print(shown, soft_wrap=soft_wrap)


def _cells(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Columns and their cells: parts of a fact have its name before their own, and of a list its length is told."""
    if name.endswith("interval"):
        yield from zip((f"{name}_low", f"{name}_high"), value or (None, None), strict=True)
    elif isinstance(value, dict):
        for part, inner in value.items():
            yield from _cells(f"{name}_{part}" if name else part, inner)
    elif isinstance(value, list):
        yield name, len(value)
    else:
        yield name, safe_cell(value) if isinstance(value, str) else value


def form_of(as_json: bool, as_csv: bool) -> str:
    """The form of results that two flags ask for.

    Raises:
        OptionError: both are given.
    """
    if as_json and as_csv:
        raise OptionError("choose one of --json and --csv")
    return "json" if as_json else "csv" if as_csv else ""
