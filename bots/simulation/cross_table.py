"""A table of every two bots: rows against columns, or a list with the same cells where it is too wide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from dealer.cli.tables import new_table

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
