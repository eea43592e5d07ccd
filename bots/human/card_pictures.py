"""Cards and dice drawn for a terminal: cards always with the symbol of their suit, so that colour only helps."""

from collections.abc import Mapping, Sequence
from typing import Literal

from rich.text import Text

from protocol.cards import RANK_TEXT, SUIT_SYMBOL, Card, Piece, Suit
from protocol.dice import Die

INK = {
    Suit.SPADES: "bold bright_white",
    Suit.HEARTS: "bold bright_red",
    Suit.DIAMONDS: "bold bright_cyan",
    Suit.CLUBS: "bold bright_green",
}

Size = Literal["word", "stack", "box", "fan", "big", "huge"]
#: How many lines a card takes.
LINES: dict[Size, int] = {"word": 1, "stack": 3, "box": 3, "fan": 5, "big": 5, "huge": 7}

#: How many columns a card takes; a word at most, with the blank behind it.
CELLS: dict[Size, int] = {"word": 4, "stack": 5, "box": 5, "fan": 7, "big": 7, "huge": 11}

#: How many columns of a card can be seen where the next one lies on it; rank and suit are among them.
_OVERLAP: dict[Size, int] = {"stack": 4, "fan": 4}


def columns(size: Size, cards: int) -> int:
    """How many columns so many cards of a seat take."""
    return _OVERLAP.get(size, CELLS[size]) * (cards - 1) + CELLS[size]


_UP = "┌─┐│└┘"
_HOLE = "╔═╗║╚╝"
_BACK = "░"
_EDGE = "white"


#: Where a die shows its pips, in three lines.
_PIPS = {
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}


def word(card: Piece) -> str:
    """A card within a sentence; a die or a number as its text."""
    return RANK_TEXT[card.rank] + SUIT_SYMBOL[card.suit] if isinstance(card, Card) else card.text


def words(cards: Sequence[Piece]) -> str:
    """Cards within a sentence."""
    return " ".join(map(word, cards))


def suit_list(names: Mapping[Suit, str]) -> str:
    """What each suit is called; empty if there are no names. A line may break between two suits only."""
    return "  ".join(f"{SUIT_SYMBOL[suit]}\N{NO-BREAK SPACE}{name}" for suit, name in names.items())


def drawn(hole: Sequence[Piece], hidden: int, up: Sequence[Piece], size: Size, faded: bool = False) -> list[Text]:
    """A seat's cards side by side, in lines; hole cards have a double edge, or stand in brackets.

    Args:
        hole: the hole cards that the person may see.
        hidden: how many hole cards there are that the person may not see.
        up: the cards that lie face up.
        size: how large.
        faded: whether the seat has folded.
    """
    if size == "word":
        faces = [*[_face(card, faded) for card in hole], *[Text("??")] * hidden]
        down = [Text.assemble("(", Text(" ").join(faces), ")")] if faces else []
        return [Text(" ").join([*down, *(_face(card, faded) for card in up)])]
    cards = [_box(card, _HOLE, size, faded) for card in (*hole, *[None] * hidden)]
    cards += [_box(card, _UP, size, faded) for card in up]
    if size in _OVERLAP:
        cards = [*[[row[: _OVERLAP[size]] for row in card] for card in cards[:-1]], *cards[-1:]]
    return [Text().join(row) for row in zip(*cards, strict=True)] if cards else [Text()] * LINES[size]


def _ink(card: Piece, faded: bool) -> str:
    return "dim" if faded else INK[card.suit] if isinstance(card, Card) else "bold"


def _face(card: Piece, faded: bool) -> Text:
    return Text(word(card), _ink(card, faded))


def _box(card: Piece | None, frame: str, size: Size, faded: bool) -> list[Text]:
    if card is not None and not isinstance(card, Card | Die):
        return _label(card, LINES[size], faded)
    left, line, right, side, low_left, low_right = list(frame)
    inner = CELLS[size] - 2
    edge = "dim" if faded else _EDGE
    rows = _inside(card, inner, LINES[size] - 2, faded)
    return [
        Text(left + line * inner + right, edge),
        *[Text.assemble((side, edge), row, (side, edge)) for row in rows],
        Text(low_left + line * inner + low_right, edge),
    ]


def _label(piece: Piece, height: int, faded: bool) -> list[Text]:
    """A number with its name, without a frame, in as many lines as the cards beside it."""
    face = Text(f" {piece.text} ", _ink(piece, faded))
    blank = Text(" " * face.cell_len)
    return [face if line == height // 2 else blank for line in range(height)]


def _inside(card: Card | Die | None, width: int, height: int, faded: bool) -> list[Text]:
    if card is None:
        return [Text(_BACK * width, "dim")] * height
    ink = _ink(card, faded)
    if isinstance(card, Die):
        rows = [card.text] if height == 1 else _PIPS[card.pips]
        blank = [""] * ((height - len(rows)) // 2)
        return [Text(f"{row:^{width}}", ink) for row in (*blank, *rows, *blank)]
    rank, suit = RANK_TEXT[card.rank], SUIT_SYMBOL[card.suit]
    if height == 1:
        return [Text(f"{rank}{suit}".ljust(width), ink)]
    rows = [f"{rank:<{width}}", f"{suit:^{width}}", f"{rank:>{width}}"]
    if height > len(rows):
        rows = [rows[0], f"{suit:<{width}}", rows[1], f"{suit:>{width}}", rows[2]]
    return [Text(row, ink) for row in rows]
