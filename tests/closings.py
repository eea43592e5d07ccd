"""How programs closed their connections is told in records that may come at any time, also behind the end."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dealer.journal.records import Record, read_journal


def without_closings(records: Iterable[Record]) -> list[dict[str, Any]]:
    """The records but ``closed``."""
    return [dict(record) for record in records if record["type"] != "closed"]


def play_of(journal: Path) -> list[dict[str, Any]]:
    """The records of a journal but ``closed``: the last one of a finished tournament is its ``end``.

    Raises:
        TornError, JournalError: see ``read_batches``.
    """
    return without_closings(read_journal(journal))
