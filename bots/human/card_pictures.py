"""Cards drawn for a terminal: always with the symbol of their suit, so that colour only helps."""

from collections.abc import Mapping, Sequence
from typing import Literal

from rich.text import Text

from protocol.cards import RANK_TEXT, Card, Suit

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


def word(card: Card) -> str:
    """A card within a sentence."""
    return RANK_TEXT[card.rank] + SYMBOLS[card.suit]


def words(cards: Sequence[Card]) -> str:
    """Cards within a sentence."""
    return " ".join(map(word, cards))


def suit_list(names: Mapping[Suit, str]) -> str:
    """What each suit is called; empty if there are no names. A line may break between two suits only."""
    return "  ".join(f"{SYMBOLS[suit]}\N{NO-BREAK SPACE}{name}" for suit, name in names.items())


def drawn(hole: Sequence[Card], hidden: int, up: Sequence[Card], size: Size, faded: bool = False) -> list[Text]:
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


def _face(card: Card, faded: bool) -> Text:
    return Text(word(card), "dim" if faded else INK[card.suit])


def _box(card: Card | None, frame: str, size: Size, faded: bool) -> list[Text]:
    left, line, right, side, low_left, low_right = list(frame)
    inner = CELLS[size] - 2
    edge = "dim" if faded else _EDGE
    rows = _inside(card, inner, LINES[size] - 2, faded)
    return [
        Text(left + line * inner + right, edge),
        *[Text.assemble((side, edge), row, (side, edge)) for row in rows],
        Text(low_left + line * inner + low_right, edge),
    ]


def _inside(card: Card | None, width: int, height: int, faded: bool) -> list[Text]:
    if card is None:
        return [Text(_BACK * width, "dim")] * height
    ink = "dim" if faded else INK[card.suit]
    rank, suit = RANK_TEXT[card.rank], SYMBOLS[card.suit]
    if height == 1:
        return [Text(f"{rank}{suit}".ljust(width), ink)]
    return [Text(f"{rank:<{width}}", ink), Text(f"{suit:^{width}}", ink), Text(f"{rank:>{width}}", ink)]
