"""Text in lines that fit a terminal, counted in its cells: some characters take two."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from protocol.wire.messages import is_printable


def harmless(text: str) -> str:
    """A stranger's text with a question mark for each character that a terminal might obey rather than show."""
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
    """Blocks of equally many lines, as many beside each other as fit, with an empty line between taller rows."""
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
    """A text of any length in lines behind ``indent`` blanks."""
    for line in text.wrap(console, max(1, width - indent)):
        line.rstrip()
        yield Text.assemble(" " * indent, line)
