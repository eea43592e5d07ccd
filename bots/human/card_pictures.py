"""Cards and dice drawn for a terminal: cards always with the symbol of their suit, so that colour only helps."""

from collections.abc import Mapping, Sequence
from typing import Literal

from rich.text import Text

from protocol.cards import RANK_TEXT, Card, Piece, Suit
from protocol.dice import Die

SYMBOLS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
INK = {
    Suit.SPADES: "bold bright_white",
    Suit.HEARTS: "bold bright_red",
    Suit.DIAMONDS: "bold bright_cyan",
    Suit.CLUBS: "bold bright_green",
}

Size = Literal["word", "box", "big"]
#: How many lines a card takes.
LINES: dict[Size, int] = {"word": 1, "box": 3, "big": 5}

#: How many columns a card takes; a word at most, with the blank behind it.
CELLS: dict[Size, int] = {"word": 4, "box": 5, "big": 7}

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
    return RANK_TEXT[card.rank] + SYMBOLS[card.suit] if isinstance(card, Card) else card.text


def words(cards: Sequence[Piece]) -> str:
    """Cards within a sentence."""
    return " ".join(map(word, cards))


def suit_list(names: Mapping[Suit, str]) -> str:
    """What each suit is called; empty if there are no names. A line may break between two suits only."""
    return "  ".join(f"{SYMBOLS[suit]}\N{NO-BREAK SPACE}{name}" for suit, name in names.items())


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
        return [Text(f"{card.text:^{width}}", ink)] if height == 1 else [Text(row, ink) for row in _PIPS[card.pips]]
    rank, suit = RANK_TEXT[card.rank], SYMBOLS[card.suit]
    if height == 1:
        return [Text(f"{rank}{suit}".ljust(width), ink)]
    return [Text(f"{rank:<{width}}", ink), Text(f"{suit:^{width}}", ink), Text(f"{rank:>{width}}", ink)]
