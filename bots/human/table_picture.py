"""The table as a picture: seats in a ring, the pot in the middle."""

from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from bots.human.card_pictures import drawn
from bots.human.narration import YOU
from bots.human.ring import Grid, fitted, places
from bots.human.updates import Scene, SeatView

TURN = "▶ "

#: Columns from which on a name and what its owner did fit beside each other.
ROOMY = 20


class Felt(Widget):
    """Draws the scene as large as there is room for."""

    scene: reactive[Scene | None] = reactive(None)

    def render(self) -> Text:
        """The picture, or nothing before the first hand."""
        if self.scene is None:
            return Text()
        return painted(self.scene, self.size.width, self.size.height)


def painted(scene: Scene, width: int, height: int) -> Text:
    """A scene in so many columns and lines."""
    grid = fitted(len(scene.seats), scene.cards, width, height)
    cells = {cell: _seat(scene, seat, grid) for cell, seat in places(grid, len(scene.seats), scene.me)}
    cells[grid.columns // 2, grid.rows // 2] = _middle(scene)
    lines: list[Text] = []
    for row in range(grid.rows):
        blocks = [_centred(cells.get((column, row), []), grid) for column in range(grid.columns)]
        lines += [Text().join(line) for line in zip(*blocks, strict=True)]
    return Text("\n").join(lines)


def _middle(scene: Scene) -> list[Text]:
    return [Text(f"pot {scene.pot}", "bold"), Text(f"street {scene.street}")]


def _seat(scene: Scene, seat: int, grid: Grid) -> list[Text]:
    view, acts = scene.seats[seat], scene.to_act == seat
    faded = view.place != "in"
    shows_back = view.hole is None and bool(view.up)
    cards = drawn(view.hole, shows_back, view.up, grid.size, faded) if view.up or view.hole else []
    return [_name(view, acts, grid.width < ROOMY), *cards, _chips(view, grid.width < ROOMY)]


def _name(view: SeatView, acts: bool, tight: bool) -> Text:
    style = "dim" if view.place != "in" else "bold underline" if view.name == YOU else "bold"
    name = Text.assemble((TURN if acts else "", "bold"), (view.name, style))
    return name if tight else Text(": ").join([name, *_news(view)])


def _news(view: SeatView) -> list[Text]:
    """What a seat did last, or that it is not in the hand."""
    if view.place != "in":
        return [Text("out" if view.place == "out" else "folded", "dim")]
    return [Text(view.note, "bold reverse" if view.note.startswith("win") else "")] if view.note else []


def _chips(view: SeatView, tight: bool) -> Text:
    if tight:
        return Text(" ").join([*([] if view.stack is None else [Text(str(view.stack))]), *_news(view)])
    return Text("" if view.stack is None else f"{view.stack} chips", "dim" if view.place != "in" else "")


def _centred(lines: list[Text], grid: Grid) -> list[Text]:
    """A cell's lines, in its middle, with blanks all round."""
    block = [_in_width(line, grid.width) for line in lines[: grid.height]]
    above = (grid.height - len(block)) // 2
    blank = Text(" " * grid.width)
    return [blank] * above + block + [blank] * (grid.height - above - len(block))


def _in_width(line: Text, width: int) -> Text:
    line = line.copy()
    line.truncate(width - 1, overflow="ellipsis")
    left = (width - line.cell_len) // 2
    line.pad_left(left)
    line.pad_right(width - line.cell_len)
    return line
