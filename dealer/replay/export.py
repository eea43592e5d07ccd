"""A replay for programs: JSON lines, or a CSV line an action."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import IO, Any

from dealer.cli.output import safe_cell
from dealer.replay.notes import Note, Voided
from dealer.replay.script import Acted, Script

COLUMNS = (
    "table", "hand", "game", "level", "street", "seat", "id", "avatar", "action",
    "chips", "pot", "owed", "stack", "microseconds", "fault", "reason",
)  # fmt: skip
"""Of the CSV, named as in ``Acted`` and ``SeatShown``; ``pot``, ``owed`` and ``stack`` are those before the action."""


def json_line(item: Script | Note) -> str:
    """A hand, or what happened beside one, as one line of JSON; ``type`` tells which."""
    if not isinstance(item, Script):
        return json.dumps({"type": item.type, **asdict(item)})
    facts = asdict(item)
    facts["events"] = [
        {"event": "action" if isinstance(event, Acted) else "street", **asdict(event)} for event in item.events
    ]
    return json.dumps({"type": "hand", **facts})


class CsvExport:
    """Writes the actions of hands to a file, and a line for a hand that is void."""

    def __init__(self, file: IO[str]) -> None:
        self._writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        self._writer.writeheader()

    def write(self, item: Script | Note) -> None:
        """Add the lines of a hand; most notes have none."""
        if isinstance(item, Script):
            self._writer.writerows(_rows(item))
        elif isinstance(item, Voided):
            self._writer.writerow({"table": item.table, "hand": item.hand, "action": "void"})


def _rows(script: Script) -> Iterator[Mapping[str, Any]]:
    for event in script.events:
        if isinstance(event, Acted):
            seat, facts = script.seats[event.seat], asdict(event)
            facts |= {"table": script.table, "hand": script.hand, "game": script.game, "level": script.level}
            reason = event.reason and safe_cell(event.reason)
            yield facts | {"id": seat.id, "avatar": safe_cell(seat.avatar), "reason": reason}
