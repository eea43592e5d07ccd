"""Links of the report's page to other files of the report; only to those that were written."""

from collections.abc import Collection
from dataclasses import dataclass

from dealer.report.labels import Label

#: The replay of the whole tournament, which a link opens at a hand.
REPLAY = "replay.html"


@dataclass(frozen=True, slots=True)
class HandLink:
    """A hand: its number and table in words, and the address of its replay; empty where there is none."""

    text: str
    href: str


class PageLinks:
    """Makes links.

    Args:
        files: that were written, relative to the folder of the report.
        many_tables: whether a hand's number alone does not tell which hand it is.
    """

    def __init__(self, files: Collection[str] = (), *, many_tables: bool = False) -> None:
        self._files = frozenset(files)
        self._many_tables = many_tables

    def hand(self, table: int, number: int) -> HandLink:
        """A hand of a table; hand 0 is before the first, and has no replay."""
        where = f" at table {table}" if self._many_tables else ""
        at = f"&table={table}" if self._many_tables else ""
        href = f"{REPLAY}#hand={number}{at}" if REPLAY in self._files and number else ""
        return HandLink(f"hand {number:,}{where}" if number else "before the first hand", href)

    def player(self, label: Label) -> tuple[tuple[str, str], ...]:
        """The files in the folder of a player, as name and address."""
        folder = f"players/{label.folder}"
        named = (("summary", "summary.txt"), ("transcript", "transcript.txt"), ("replay", REPLAY))
        return tuple((name, f"{folder}/{file}") for name, file in named if f"{folder}/{file}" in self._files)
