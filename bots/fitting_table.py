"""Results on the terminal: as JSON, or in a table that becomes a list where the terminal is too narrow for it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement, measure_renderables
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

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


def print_found(
    facts: dict[str, Any], shown: RenderableType, as_json: bool, page: int, soft_wrap: bool = False
) -> None:
    """Print the facts as JSON, or what is shown of them, on ``page`` columns where no terminal says how many."""
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    console = Console()
    (console if console.is_terminal else Console(width=page)).print(shown, soft_wrap=soft_wrap)
