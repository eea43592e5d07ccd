"""Text for a terminal: cards as boxes or words, and lines of a width counted in cells (some characters take two)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from protocol.cards import SUIT_SYMBOL, SUIT_TEXT, UNKNOWN, Suit
from protocol.wire.messages import is_printable

_SYMBOLS = {SUIT_TEXT[suit]: SUIT_SYMBOL[suit] for suit in Suit}
_INK = {"S": "", "H": "red", "D": "red", "C": ""}
_EDGE = "dim"

#: The upper edge, the side and the lower edge of a card that lies face up, and of a hole card.
_UP = ("┌───┐", "│", "└───┘")
_HOLE = ("┌┄┄┄┐", "┊", "└┄┄┄┘")

#: The face of a card that the viewer may not see, in a box and without one.
_BACK = "░░░"
PLAIN_BACK = "??"

#: Every character outside ASCII that a replay may show of its own accord.
NEEDED = "".join([*_SYMBOLS.values(), *_UP, *_HOLE, _BACK, "…→"])


@dataclass(frozen=True, slots=True)
class CardStyle:
    """How cards are written: as boxes with suit symbols, or as plain text.

    Attributes:
        boxes: whether they are drawn, for which the terminal must be able to show the characters of ``NEEDED``.
    """

    boxes: bool

    @property
    def hole_mark(self) -> str:
        """How the reader knows a hole card."""
        return "with a dotted edge" if self.boxes else "in brackets"

    def word(self, card: str) -> Text:
        """A card within a sentence; of an imported hand, it may be one that is not known. A die stays as it is."""
        if card == UNKNOWN.text:
            return Text(card, _EDGE)
        value, suit = card[:-1], card[-1]
        if suit not in _SYMBOLS:
            return Text(card)
        return Text(value + (_SYMBOLS[suit] if self.boxes else suit), _INK[suit])

    def words(self, cards: Sequence[str]) -> Text:
        """Cards within a sentence."""
        return Text(" ").join(self.word(card) for card in cards)

    def drawn(self, hole: Sequence[str | None], up: Sequence[str]) -> list[Text]:
        """Cards as they lie on the table, in lines of text.

        Args:
            hole: the hole cards; None for one that the viewer may not see.
            up: the cards that lie face up.
        """
        if not self.boxes:
            down = [Text.assemble("(", self.word(card) if card else PLAIN_BACK, ")") for card in hole]
            return [Text(" ").join([*down, *map(self.word, up)])]
        boxes = [_box(self._face(card) if card else Text(_BACK, _EDGE), _HOLE) for card in hole]
        boxes += [_box(self._face(card), _UP) for card in up]
        return [Text("").join(parts) for parts in zip(*boxes, strict=True)]

    def _face(self, card: str) -> Text:
        face = self.word(card)
        if card.isdecimal():  # a die
            face.pad_left(1)
        face.pad_right(3 - len(face))
        return face


def _box(face: Text, frame: tuple[str, str, str]) -> list[Text]:
    above, below = (edge[0] + edge[1] * face.cell_len + edge[-1] for edge in (frame[0], frame[2]))
    return [Text(above, _EDGE), Text.assemble((frame[1], _EDGE), face, (frame[1], _EDGE)), Text(below, _EDGE)]


def harmless(text: str) -> str:
    """A player's text with a question mark for each character that a terminal might obey instead of showing it."""
    return "".join(char if is_printable(char) else "?" for char in text)


def fitted(text: str, width: int, ellipsis: str) -> Text:
    """One line of exactly ``width`` cells."""
    line = Text(text)
    if line.cell_len > width:
        line.truncate(width - len(ellipsis))
        line.append(ellipsis)
    line.pad_right(width - line.cell_len)
    return line


def side_by_side(blocks: Sequence[Sequence[Text]], width: int, gap: int = 1) -> Iterator[Text]:
    """Blocks with the same number of lines, as many next to each other as fit in ``width`` cells.

    An empty line separates rows of blocks that are taller than one line.
    """
    cells = max(line.cell_len for block in blocks for line in block)
    many = max(1, (width + gap) // (cells + gap))
    for first in range(0, len(blocks), many):
        if first and len(blocks[0]) > 1:
            yield Text()
        for lines in zip(*blocks[first : first + many], strict=True):
            row = Text()
            for line in lines:
                row.append_text(line)
                row.append(" " * (cells + gap - line.cell_len))
            row.rstrip()
            yield row


def indented(text: Text, indent: int, console: Console, width: int) -> Iterator[Text]:
    """A text of any length, in lines that begin with ``indent`` blanks."""
    for line in text.wrap(console, max(1, width - indent)):
        line.rstrip()
        yield Text.assemble(" " * indent, line)
