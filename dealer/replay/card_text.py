"""Cards drawn for a terminal: boxes with suit symbols, or plain text where those cannot be shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_INK = {"S": "", "H": "red", "D": "red", "C": ""}
_EDGE = "dim"

_UP = ("┌───┐", "│", "└───┘")
_HOLE = ("┌┄┄┄┐", "┊", "└┄┄┄┘")
_BACK = "░░░"

PLAIN_BACK = "??"

NEEDED = "".join([*_SYMBOLS.values(), *_UP, *_HOLE, _BACK, "…→"])
"""Every character outside ASCII that a replay may show of its own accord."""


@dataclass(frozen=True, slots=True)
class Faces:
    """How cards look; ``boxes`` if the terminal can show ``NEEDED``."""

    boxes: bool

    @property
    def hole_mark(self) -> str:
        """How a card in the hole is known."""
        return "with a dotted edge" if self.boxes else "in brackets"

    def word(self, card: str) -> Text:
        """A card within a sentence."""
        value, suit = card[:-1], card[-1]
        return Text(value + (_SYMBOLS[suit] if self.boxes else suit), _INK[suit])

    def words(self, cards: Sequence[str]) -> Text:
        """Cards within a sentence."""
        return Text(" ").join(self.word(card) for card in cards)

    def drawn(self, hole: str | None, up: Sequence[str]) -> list[Text]:
        """A seat's cards as they lie, in lines; the one in the hole has a dotted edge, or stands in brackets."""
        if not self.boxes:
            down = Text.assemble("(", self.word(hole) if hole else PLAIN_BACK, ")")
            return [Text(" ").join([down, *map(self.word, up)])]
        back = Text(_BACK, _EDGE)
        lines = _box(self._face(hole) if hole else back, _HOLE)
        for card in up:
            lines = [left + right for left, right in zip(lines, _box(self._face(card), _UP), strict=True)]
        return lines

    def _face(self, card: str) -> Text:
        face = self.word(card)
        face.pad_right(3 - len(face))
        return face


def _box(face: Text, frame: tuple[str, str, str]) -> list[Text]:
    above, side, below = frame
    return [Text(above, _EDGE), Text.assemble((side, _EDGE), face, (side, _EDGE)), Text(below, _EDGE)]
