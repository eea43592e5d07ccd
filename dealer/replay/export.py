"""A replay for programs: a line of JSON for each hand or note, or a line of CSV for each action."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import IO, Any

from dealer.cli.output import safe_cell
from dealer.replay.notes import Note, Voided
from dealer.replay.seen_hand import Acted, ChancesShown, SeenHand, StreetOpened

#: Columns of the CSV, named as in ``Acted`` and ``SeatShown``; ``pot``, ``owed`` and ``stack`` are those before the
#: action.
COLUMNS = (
    "table", "hand", "game", "level", "street", "seat", "id", "avatar", "action",
    "chips", "pot", "owed", "stack", "microseconds", "fault", "reason", "asked",
)  # fmt: skip


#: What an event is called in JSON.
_EVENTS = {StreetOpened: "street", Acted: "action", ChancesShown: "chances"}


def json_line(item: SeenHand | Note) -> str:
    """A hand or a note as one line of JSON; the key ``type`` says which."""
    if not isinstance(item, SeenHand):
        return json.dumps({"type": item.type, **asdict(item)})
    facts = asdict(item)
    facts["events"] = [{"event": _EVENTS[type(event)], **asdict(event)} for event in item.events]
    return json.dumps({"type": "hand", **facts})


class CsvExport:
    """Writes the actions of hands to a CSV file, and a line for each voided hand."""

    def __init__(self, file: IO[str]) -> None:
        self._writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        self._writer.writeheader()

    def write(self, item: SeenHand | Note) -> None:
        """Add the lines of a hand, or of a note, of which most have none."""
        if isinstance(item, SeenHand):
            self._writer.writerows(_rows(item))
        elif isinstance(item, Voided):
            self._writer.writerow({"table": item.table, "hand": item.hand, "action": "void"})


def _rows(seen: SeenHand) -> Iterator[Mapping[str, Any]]:
    for event in seen.events:
        if isinstance(event, Acted):
            seat, facts = seen.seats[event.seat], asdict(event)
            facts |= {"table": seen.table, "hand": seen.hand, "game": seen.game, "level": seen.level}
            reason = event.reason and safe_cell(event.reason)
            yield facts | {"id": seat.id, "avatar": safe_cell(seat.avatar), "reason": reason}
