"""The Markdown pages of the repository: their fenced blocks, their sections and their tables.

The one about output is compared with what commands print as JSON.
"""

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

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


PAGE = page("dealer/docs/output.md")

#: An item of a list: its indent and its text, which may have several lines.
_ITEM = re.compile(r"^( *)- (.*(?:\n *(?!- )\S.*)*)", re.MULTILINE)


def told(heading: str) -> set[str]:
    """The names in the list of a section, each with the names above it; and those of shared parts that it links to."""
    text = re.split(r"^#", section(PAGE, heading), maxsplit=1, flags=re.MULTILINE)[0]
    names: set[str] = set()
    above: list[list[str]] = [[""]]
    for indent, item in _ITEM.findall(text):
        depth = len(indent) // 2
        here = [before + name for before in above[depth] for name in names_in(item.partition("`: ")[0] + "`")]
        above[depth + 1 :] = [[f"{name}." for name in here]]
        parts = re.findall(r"\]\(#(a-\w+)\)", item)
        shared = {name for part in parts for name in told(f"### {part.replace('-', ' ').capitalize()}")}
        names |= {name.removesuffix("[]") for name in here} | {f"{name}.{part}" for name in here for part in shared}
    return names - {""}


def assert_keys(heading: str, *printed: Any, absent: Collection[str] = (), options: Collection[str] = ()) -> None:
    """Fail unless the results hold exactly the keys that the page lists below the heading.

    Args:
        heading: of the section.
        printed: results of a command, read from JSON; together they have all keys.
        absent: keys on the page that these results do not have.
        options: keys of the results that are options of games, which have pages of their own.
    """
    names = told(heading) | set(options)
    free = {name.removesuffix(".*") for name in names if name.endswith(".*")}
    found = {key for value in printed for key in _keys(value)}
    below = {key for key in found if any(key.startswith(f"{name}.") for name in free)}
    found_names = found - below - free | {f"{name}.*" for name in free & found}
    different = found_names ^ (names - set(absent))
    assert not different, f"only printed or only in {heading!r}: {sorted(different)}"


def _keys(value: Any, before: str = "") -> Iterator[str]:
    """The keys of a JSON value and of all values in it, written as on the page."""
    if isinstance(value, dict):
        for key, part in value.items():
            name = f"{before}.{key}".lstrip(".")
            yield name
            yield from _keys(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _keys(part, f"{before}[]")
