"""The command ``casino replay``: print hands of a journal for people, or export them as JSON, CSV or hand histories."""

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import IO, Any

from msgspec import structs, to_builtins
from rich.console import Console
from rich.text import Text

from dealer.audit.hands import ReplayedHand
from dealer.cli.output import complain, safe_cell
from dealer.cli.tables import CardStyle
from dealer.errors import CasinoError, OptionError
from dealer.replay.hand_history import HandHistory, find_history
from dealer.replay.hand_screen import HandScreen, NoteSentences
from dealer.replay.journal_reader import Choice, Note, replay_hands, replay_items
from dealer.telling.seen_hand import ChancesShown, SeenEvent, SeenHand
from protocol.events import Acted, StreetDealt, Voided, type_of
from protocol.games.game import Game

#: Columns of the CSV, named as in ``Acted`` and ``SeatShown``; ``pot``, ``owed`` and ``stack`` are those before the
#: action.
COLUMNS = (
    "table", "hand", "game", "level", "street", "seat", "id", "avatar", "action",
    "chips", "pot", "owed", "stack", "microseconds", "fault", "reason", "asked",
)  # fmt: skip


#: What an event is called in JSON.
_EVENTS = {StreetDealt: "street", Acted: "action", ChancesShown: "chances"}


def json_line(item: SeenHand | Note) -> str:
    """A hand or a note as one line of JSON; the key ``type`` says which."""
    if isinstance(item, Note):
        names = {} if item.avatar is None else {"id": item.id, "avatar": item.avatar}
        return json.dumps({"type": type_of(item.event), **to_builtins(structs.asdict(item.event)), **names})
    facts = to_builtins(item)
    facts["events"] = [{"event": _EVENTS[type(event)], **_facts(event)} for event in item.events]
    return json.dumps({"type": "hand", **facts})


def _facts(event: SeenEvent) -> dict[str, Any]:
    return {name: fact for name, fact in to_builtins(event).items() if name not in ("type", "table", "hand")}


def write_csv(items: Iterable[SeenHand | Note], file: IO[str]) -> None:
    """Write the actions of hands as CSV, and a line for each voided hand."""
    writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for item in items:
        if isinstance(item, SeenHand):
            writer.writerows(_rows(item))
        elif isinstance(item.event, Voided):
            writer.writerow({"table": item.event.table, "hand": item.event.hand, "action": "void"})


def _rows(seen: SeenHand) -> Iterator[Mapping[str, Any]]:
    for event in seen.events:
        if isinstance(event, Acted):
            seat, facts = seen.seats[event.seat], {**to_builtins(event), "game": seen.game, "level": seen.level}
            reason = event.reason and safe_cell(event.reason)
            yield facts | {"id": seat.id, "avatar": safe_cell(seat.avatar), "reason": reason}


#: Columns that are used at most, where a terminal is wider.
WIDTH = 100


def replay_journal(path: Path, choice: Choice, as_json: bool, as_csv: bool, export: str | None = None) -> int:
    """Print the hands that were asked for, as far as the journal is whole; the exit code.

    Args:
        path: of the journal.
        choice: what is asked for.
        as_json: lines of JSON.
        as_csv: lines of CSV.
        export: the format of hand histories that is wanted instead; None for none.
    """
    if as_json + as_csv + (export is not None) > 1:
        return complain(OptionError("choose one of --json, --csv and --export"))
    try:
        if export is not None:
            export_histories(path, choice, export)
            return 0
        items = replay_items(path, choice)
        if as_json:
            for item in items:
                print(json_line(item))
        elif as_csv:
            write_csv(items, sys.stdout)
        else:
            print_replay(items, Console(highlight=False, markup=False, emoji=False))
    except CasinoError as error:
        return complain(error)
    return 0


def export_histories(path: Path, choice: Choice, format: str) -> None:
    """Print the hands that were asked for in a format of hand histories; notes have no place in one.

    Raises:
        CasinoError: the game has no such format, a hand cannot be written in it, or see ``replay_items``.
    """
    history: HandHistory | None = None

    def write(hand: ReplayedHand, game: Game, viewer: int | None) -> str:
        nonlocal history
        history = history or find_history(game.name, format)
        return history.write(hand, viewer)

    texts = (item for item in replay_hands(path, choice, write) if isinstance(item, str))
    first = next(texts, None)
    if first is not None and history is not None:
        for piece in history.join(chain([first], texts)):
            print(piece, end="")


def print_replay(items: Iterator[SeenHand | Note], console: Console) -> None:
    """Print hands, each as on the last screen of it, and what happened between them."""
    cards, notes, width = CardStyle(console), NoteSentences(), min(console.width, WIDTH)
    for item in items:
        if isinstance(item, SeenHand):
            notes.follow(item)
            lines = HandScreen(item, (), cards).printed(width)
        else:
            lines = [Text(sentence, "bold") for sentence in notes.of(item)]
        for line in [*lines, Text()] if lines else []:
            line.rstrip()
            console.print(line, soft_wrap=True)
