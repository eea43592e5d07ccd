"""The Markdown pages of the repository: their fenced blocks, their sections and their tables."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: Folders that hold no pages of ours: what tools make, and environments.
_NOT_OURS = {".git", ".pytest_cache", ".venv", "build", "dist", "node_modules", "site-packages"}


def page(name: str) -> str:
    """The text of a page, named by its path from the root of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def all_pages() -> list[Path]:
    """Every Markdown file of the repository, in alphabetical order."""
    return sorted(path for path in ROOT.rglob("*.md") if not _NOT_OURS & set(path.relative_to(ROOT).parts))


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of a text in order: the kind of each (``sh``, ``python`` ...) and its lines.

    A block inside a list item is indented; its lines are given without that indent.
    """
    found = re.findall(r"^( *)```([\w-]+)\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [(kind, re.sub(f"^{indent}", "", body, flags=re.MULTILINE)) for indent, kind, body in found]


def section(text: str, heading: str) -> str:
    """The text below a heading such as ``## Faults``, up to the next heading of the same or a higher level."""
    level = heading.split(" ", maxsplit=1)[0]
    _, _, rest = text.partition(f"\n{heading}\n")
    assert rest, f"no heading {heading!r}"
    return re.split(rf"^#{{1,{len(level)}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def tables(text: str) -> Iterator[list[list[str]]]:
    """The tables of a text, each a list of rows, each a list of cells; the heading row is left out."""
    for lines in re.findall(r"(?:^ *\|.*\|\n)+", text + "\n", re.MULTILINE):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))] for row in lines.splitlines()]
        yield rows[2:]


def names_in(cell: str) -> list[str]:
    """The names in backquotes of a cell."""
    return re.findall(r"`([^`]+)`", cell)
