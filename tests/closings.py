"""Journals without what may be recorded at any time, by chance.

How a program closed its connection is recorded when it has, also behind the end; and a busy machine lets the dealer
stand still.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.dealer.support.raw_records import read_raw


def without_closings(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["type"] != "closed"]


def play_of(journal: Path) -> list[dict[str, Any]]:
    """The records of a journal but ``closed`` and ``stall``: the last one of a finished tournament is its ``end``.

    Raises:
        TornError, JournalError: see ``read_packed``.
    """
    return [record for record in without_closings(read_raw(journal)) if record["type"] != "stall"]
