"""A line of numbers as a picture of braille dots, two across and four down a character."""

from collections.abc import Sequence

#: The bit of each dot of a braille character: by column, then by row.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))

_BLANK = 0x2800


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
