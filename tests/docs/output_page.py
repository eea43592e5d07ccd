"""Compare what commands print as JSON with the page about output."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from tests.docs.pages import names_in, page, section

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
