"""What a person did at one table: hands, chips, and a curve of the chips, for the screen and the terminal."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bots.human.coach.review import Decision
from protocol.plurals import plural

#: Columns of the curve that is left in the terminal.
CURVE_WIDTH = 40

#: The bit of each dot of a braille character: by column, then by row.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))

#: The braille character without dots; the bits of its dots are added to it.
_BLANK = 0x2800


@dataclass
class SessionRecord:
    """One game of a person, from its first hand to its end.

    Attributes:
        title: what was played, with whom.
        chips: before each hand, and after the last one.
        hand: the number of the hand under way, or of the last.
        stack: chips in front of the person now; None before the first hand.
        reason: why it ended.
        decisions: what the person did at each question, for the review; none where there is no coach.
        dearest: the decisions that cost most, in lines, once they were reviewed.
    """

    title: str
    chips: list[int] = field(default_factory=list)
    hand: int = 0
    stack: int | None = None
    reason: str = ""
    decisions: list[Decision] = field(default_factory=list)
    dearest: list[str] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """How the game went, in lines."""
        lines = [self.title, self.reason] if self.reason else [self.title]
        if self.stack is None:
            return [*lines, "No hand was played."]
        start = self.chips[0]
        chips = f"{plural(start, 'chip')} at first, {self.stack} at the end ({self.stack - start:+})"
        line = f"{plural(self.hand, 'hand')}: {chips}"
        if len(self.chips) > 2:
            chips_seen = [*self.chips, self.stack]  # who leaves during a hand has put chips in
            line += f", {max(chips_seen)} at the most, {min(chips_seen)} at the least"
        return [*lines, f"{line}."]

    @property
    def summary(self) -> list[str]:
        """The same, with the chips as a curve, and the dearest decisions if they were reviewed."""
        return [*self.words, *self.picture(CURVE_WIDTH, 2), *self.dearest]

    def picture(self, width: int, height: int) -> list[str]:
        """The chips hand by hand as a curve; nothing before there are two points."""
        return curve(self.chips, width, height) if len(self.chips) > 1 else []


def curve(values: Sequence[int], width: int, height: int) -> list[str]:
    """``values`` from left to right, the largest on top, as ``height`` lines of ``width`` characters.

    Steps are joined by dots above each other, so that the line has no holes.
    """
    cells = [[_BLANK] * width for _ in range(height)]
    rows = _rows(values, width * 2, height * 4)
    for column, row in enumerate(rows):
        before = rows[column - 1] if column else row
        step = 1 if row >= before else -1
        for dot in (*range(before + step, row, step), row):
            cells[dot // 4][column // 2] |= _DOTS[column % 2][dot % 4]
    return ["".join(map(chr, line)) for line in cells]


def _rows(values: Sequence[int], columns: int, rows: int) -> list[int]:
    """The row, from the top, of each column's dot."""
    if not values:
        return []
    low, high = min(values), max(values)
    spread = max(high - low, 1)
    sampled = [values[column * len(values) // columns] for column in range(columns)] if len(values) > 1 else [values[0]]
    return [round((high - value) / spread * (rows - 1)) if high > low else rows // 2 for value in sampled]
