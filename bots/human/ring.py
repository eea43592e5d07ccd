"""Where seats lie: round a table of cells, the person at the bottom, the others clockwise as they act."""

from collections.abc import Iterator
from typing import NamedTuple

from bots.human.card_pictures import CELLS, LINES, Size

#: Columns of a card that is written as a word, at most.
WORDS_WIDTH = 4

NAME_WIDTH = 13


class Grid(NamedTuple):
    """A table of cells, of which the outer ones have seats.

    Attributes:
        size: how large cards are drawn.
        width: columns of a cell.
        height: lines of a cell.
    """

    columns: int
    rows: int
    size: Size
    width: int
    height: int


#: Columns and rows, with room for 8, 10, 12, 12, 14, 16 and 18 seats.
_SHAPES = ((3, 3), (4, 3), (5, 3), (4, 4), (5, 4), (6, 4), (6, 5))

_SIZES: tuple[Size, ...] = ("big", "box", "word")


def fitted(seats: int, cards: int, width: int, height: int) -> Grid:
    """The grid with the largest cards for so many ``seats`` with ``cards`` each; the tightest if none fits."""
    shapes = [(columns, rows) for columns, rows in _SHAPES if len(ring(columns, rows)) >= seats]
    grids = [Grid(columns, rows, size, width // columns, height // rows) for size in _SIZES for columns, rows in shapes]
    return next((grid for grid in grids if _has_room(grid, cards)), grids[-1])


def _has_room(grid: Grid, cards: int) -> bool:
    lines = LINES[grid.size] + 2
    return grid.height >= lines and grid.width >= max(CELLS[grid.size] * cards, NAME_WIDTH)


def ring(columns: int, rows: int) -> list[tuple[int, int]]:
    """The outer cells (column, row), clockwise from the middle of the bottom."""
    bottom, right, middle = rows - 1, columns - 1, columns // 2
    return [
        *((column, bottom) for column in range(middle, -1, -1)),
        *((0, row) for row in range(bottom - 1, -1, -1)),
        *((column, 0) for column in range(1, columns)),
        *((right, row) for row in range(1, rows)),
        *((column, bottom) for column in range(right - 1, middle, -1)),
    ]


def places(grid: Grid, seats: int, me: int) -> Iterator[tuple[tuple[int, int], int]]:
    """The cell of each seat."""
    cells = ring(grid.columns, grid.rows)
    for step in range(seats):
        nearest = (2 * step * len(cells) + seats) // (2 * seats)
        yield cells[nearest], (me + step) % seats
