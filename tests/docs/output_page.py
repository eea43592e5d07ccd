"""Compare what commands print as JSON with the page about output."""

from collections.abc import Collection, Iterator
from typing import Any

from tests.docs.pages import names_in, page, section, tables

PAGE = page("dealer/docs/output.md")


def told(heading: str) -> set[str]:
    """The names in the first column of the first table of a section."""
    return {name for row in next(tables(section(PAGE, heading))) for name in names_in(row[0])}


def assert_keys(heading: str, *printed: Any, absent: Collection[str] = ()) -> None:
    """Fail unless the results hold exactly the keys that the page lists below the heading.

    Args:
        heading: of the section.
        printed: results of a command, read from JSON; together they have all keys.
        absent: keys on the page that these results do not have.
    """
    names = told(heading)
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
