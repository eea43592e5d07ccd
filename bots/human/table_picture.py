"""The table as a picture: seats around it, the person at the bottom, the pot and the board in the middle."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from bots.human.card_pictures import CELLS, LINES, Size, columns, drawn
from bots.human.narration import YOU
from bots.human.updates import PersonScene
from dealer.telling.scene import SeatScene
from protocol.cards import Piece
from protocol.person_events import InLobby

#: Columns of a name, at most: those of the longest one in narrow letters.
WIDEST = 32

#: Columns between two names.
GAP = 2

#: Behind the person's own name.
YOURS = " (you)"

#: What stands above the list.
SEATED = "You have a seat. Play begins when the host starts it."


def waiting_lines(lobby: InLobby, width: int, height: int) -> list[str]:
    """The list in ``height`` lines of at most ``width`` columns: the person first, then the others as they came."""
    # Of a crowd only the first are named, and the person may not be among them.
    name = lobby.names[lobby.place] if lobby.place < len(lobby.names) else YOU
    me = f"{_cut(name, min(cell_len(name), WIDEST - len(YOURS)))}{YOURS}" if name != YOU else YOU
    names = [me, *(name for place, name in enumerate(lobby.names) if place != lobby.place)]
    column = min(max(cell_len(name) for name in names), WIDEST, width)
    columns = max((width + GAP) // (column + GAP), 1)
    room = max(height - 3, 1) * columns  # without the lines above, and the line of those who are left out
    shown = [_cut(name, column) for name in names[:room]]
    rows = [(" " * GAP).join(shown[first : first + columns]) for first in range(0, len(shown), columns)]
    left = [f"and {lobby.count - room} more"] if lobby.count > room else []
    return [_cut(line, width).rstrip() for line in (SEATED, _count(lobby), *rows, *left)]


def _count(lobby: InLobby) -> str:
    here = lobby.count
    if lobby.seats is not None:
        return f"{here} of {lobby.seats} players are here:"
    return "You are the first:" if here == 1 else f"{here} players are here:"


def _cut(text: str, width: int) -> str:
    """A text in exactly so many columns, with an ellipsis where it is too long."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(f"{set_cell_size(text, width - 1).rstrip()}…", width)


#: Before the name of the seat to act; behind the name of the seat with the button, as on the button itself.
TURN = "▶ "
BUTTON = " (D)"

#: Cards that the middle has room for.
BOARD_CARDS = 5

#: Cards in the first line of a board that needs two.
FLOP = 3

#: Columns from which on a name and what its owner did fit beside each other.
ROOMY = 20

#: Columns that a name takes, at most.
NAME_WIDTH = 13


#: Columns to which a name is cut, at least; what its owner did is cut before that.
SHORTEST = 6


class Grid(NamedTuple):
    """A table of cells, of which the outer ones hold seats, in terms of a terminal.

    Attributes:
        width: columns of a cell.
        height: lines of a cell.
    """

    columns: int
    rows: int
    size: Size
    width: int
    height: int


#: Columns and rows, with room for 2, 8, 10, 12, 12, 14, 16 and 18 seats.
_SHAPES = ((1, 3), (3, 3), (4, 3), (5, 3), (4, 4), (5, 4), (6, 4), (6, 5))

#: The sizes of a seat's cards, and those of the board, from large to small.
_SIZES: tuple[Size, ...] = ("huge", "big", "fan", "box", "stack", "word")
_BOARD_SIZES: tuple[Size, ...] = ("huge", "big", "box", "word")


def fitted(seats: int, cards: int, width: int, height: int) -> Grid:
    """The grid with the largest cards for so many ``seats`` with ``cards`` each; the tightest if none fits."""
    shapes = [(columns, rows) for columns, rows in _SHAPES if len(ring(columns, rows)) >= seats]
    grids = [Grid(columns, rows, size, width // columns, height // rows) for size in _SIZES for columns, rows in shapes]
    return next((grid for grid in grids if _has_room(grid, cards)), grids[-1])


def _has_room(grid: Grid, cards: int) -> bool:
    lines = LINES[grid.size] + 2
    return grid.height >= lines and grid.width >= NAME_WIDTH and grid.width > columns(grid.size, cards)


def ring(columns: int, rows: int) -> list[tuple[int, int]]:
    """The outer cells (column, row), clockwise from the middle of the bottom."""
    bottom, right, middle = rows - 1, columns - 1, columns // 2
    if columns == 1:
        return [(0, bottom), (0, 0)]  # between them is the middle of the table
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


class TablePicture(Widget):
    """Draws the scene, with cards as large as there is room for; before the first hand, who waits for it."""

    scene: reactive[PersonScene | None] = reactive(None)
    lobby: reactive[InLobby | None] = reactive(None)

    def render(self) -> Text:
        """The picture; before the first hand the list of those who wait, if it is known."""
        width, height = self.size
        if self.scene is not None:
            return painted(self.scene, width, height)
        return Text() if self.lobby is None else Text("\n".join(waiting_lines(self.lobby, width - 2, height)))


def painted(scene: PersonScene, width: int, height: int) -> Text:
    """The scene as text of ``width`` columns and ``height`` lines."""
    seats = scene.table.seats
    cards = max(scene.seat.cards, *(len(seat.hole or range(seat.hidden)) + len(seat.up) for seat in seats))
    grid = fitted(len(seats), cards, width, height)
    cells = {cell: _seat(scene, seat, grid) for cell, seat in places(grid, len(seats), scene.me)}
    lines: list[Text] = []
    for row in range(grid.rows):
        blocks = [_centred(cells.get((column, row), []), grid.width, grid.height) for column in range(grid.columns)]
        if row == grid.rows // 2:
            inside = grid.width * max(grid.columns - 2, 1)
            first, last = (1, -1) if grid.columns > 2 else (0, 1)
            blocks[first:last] = [_centred(_middle(scene, inside, grid.height), inside, grid.height)]
        lines += [Text().join(line) for line in zip(*blocks, strict=True)]
    return Text("\n").join(lines)


def _middle(scene: PersonScene, width: int, height: int) -> list[Text]:
    """The pot, the board with cards as large as there is room for, and the street if a line is left for it."""
    pots = _pots(scene, width)
    board = _board([*map(scene.seat.read_piece, scene.table.board)], width, height - len(pots))
    lines = [*[Text(line, "bold") for line in pots], *board]
    return lines if board and len(lines) >= height else [*lines, Text(scene.street)]


def _pots(scene: PersonScene, width: int) -> list[str]:
    """All chips, and those of main pot and side pots behind it, or below it where one line is too narrow."""
    table = scene.table
    whole, sides = f"pot {table.pot}", f"({' + '.join([str(chips) for chips, _ in table.pots])})"
    if not table.pots:
        return [whole]
    if len(whole) + 1 + len(sides) < width:
        return [f"{whole} {sides}"]
    return [whole, sides if len(sides) < width else sides.replace(" ", "")]


def _board(cards: Sequence[Piece], width: int, height: int) -> list[Text]:
    """The board with cards as large as there is room for; the smallest take two lines where one is too narrow."""
    if not cards:
        return []
    for size in _BOARD_SIZES:
        if LINES[size] < height and CELLS[size] * BOARD_CARDS < width:
            return drawn((), 0, cards, size)
    whole = drawn((), 0, cards, "word")
    if whole[0].cell_len < width or height < 2 or len(cards) <= FLOP:
        return whole
    return [*drawn((), 0, cards[:FLOP], "word"), *drawn((), 0, cards[FLOP:], "word")]


def _seat(scene: PersonScene, number: int, grid: Grid) -> list[Text]:
    seat, read = scene.table.seats[number], scene.seat.read_piece
    hole, up = [*map(read, seat.hole)], [*map(read, seat.up)]
    cards = drawn(hole, 0 if hole else seat.hidden, up, grid.size, not seat.live) if hole or seat.hidden or up else []
    return [_name(seat, scene.names[number], grid.width), *cards, _chips(seat, grid.width < ROOMY)]


def _name(seat: SeatScene, name: str, width: int) -> Text:
    """The name, cut so that what stands around it fits into a cell of ``width`` columns."""
    style = "bold" if seat.live else "dim"
    if name == YOU and seat.live:
        style = "bold underline"
    before, behind = Text(TURN if seat.turn else "", "bold"), Text(BUTTON if seat.button else "")
    news = [] if width < ROOMY else _news(seat)
    around = Text(": ").join([Text.assemble(before, behind), *news]).cell_len
    text = Text(name, style)
    text.truncate(max(width - 1 - around, SHORTEST), overflow="ellipsis")
    return Text(": ").join([Text.assemble(before, text, behind), *news])


def _news(seat: SeatScene) -> list[Text]:
    """What a seat won or did last, unless it must act now."""
    if seat.won:
        return [Text(f"win {seat.won}", "bold reverse")]
    if seat.turn:
        return [Text("to act", "bold")]
    return [Text(seat.deed, "" if seat.live else "dim")] if seat.deed else []


def _chips(seat: SeatScene, tight: bool) -> Text:
    """The chips in front of a seat, and those that it has put in on this street."""
    stack = [] if seat.stack is None else ["all in" if seat.all_in else str(seat.stack)]
    if tight:  # the arrow before the name says whose turn it is
        return Text(" ").join([*map(Text, stack), *([] if seat.turn else _news(seat))])
    if stack and not seat.all_in:
        stack = [f"{seat.stack} chips"]
    return Text(", ".join([*stack, *([f"{seat.put} in"] if seat.put else [])]), "" if seat.live else "dim")


def _centred(lines: list[Text], width: int, height: int) -> list[Text]:
    """A cell's lines, in its middle, with blanks all round."""
    block = [_in_width(line, width) for line in lines[:height]]
    above = (height - len(block)) // 2
    blank = Text(" " * width)
    return [blank] * above + block + [blank] * (height - above - len(block))


def _in_width(line: Text, width: int) -> Text:
    line = line.copy()
    line.truncate(width - 1, overflow="ellipsis")
    left = (width - line.cell_len) // 2
    line.pad_left(left)
    line.pad_right(width - line.cell_len)
    return line
