"""The table of every two bots against each other, for terminals of any width."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from bots.fitting_table import rows_against_columns
from protocol.estimates.intervals import Estimate

#: Characters that are enough for the name of a row: longer names go on in the next line.
LEAST_NAME = 6


def chips_text(chips: Estimate, between: str) -> str:
    """Chips won a hand, and half the interval where it is known; it is symmetric.

    Args:
        chips: with an interval as far below the value as above it.
        between: what to write between the two numbers.
    """
    half = "" if chips.interval is None else f"{between}±{(chips.high - chips.low) / 2:.2f}"
    return f"{chips.value:+z.2f}{half}"


@dataclass(frozen=True, slots=True)
class CrossedTable:
    """Rows against columns, or a list with the same cells where a number of the table would be cut.

    Attributes:
        bots: by name.
        cells: what to show of the bot of a row against that of a column, by their places in ``bots``.
    """

    bots: Sequence[str]
    cells: Mapping[tuple[int, int], str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the table with the widest columns that fit, or the list."""
        for widths in self._column_widths():
            if LEAST_NAME + sum(widths) + len(widths) <= options.max_width:
                table = rows_against_columns(self.bots, self.cells)
                for column, width in zip(table.columns[1:], widths, strict=True):
                    column.width = width
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
