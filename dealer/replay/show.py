"""The command ``casino replay``: print hands of a journal for people, or export them as JSON or CSV."""

import sys
from collections.abc import Iterator
from pathlib import Path

import trio
from rich.console import Console

from dealer.cli.output import complain
from dealer.errors import CasinoError, OptionError
from dealer.replay.export import CsvExport, json_line
from dealer.replay.journal_reader import Choice, replay_items
from dealer.replay.notes import Note
from dealer.replay.seen_hand import SeenHand
from dealer.replay.terminal import ReplayLines


async def replay_journal(path: Path, choice: Choice, speed: float, as_json: bool, as_csv: bool) -> int:
    """Print the hands that were asked for, as far as the journal is whole; the exit code.

    Args:
        path: of the journal.
        choice: what is asked for.
        speed: divides the pauses between lines, which a class can follow at 1; 0 for no pauses. Without a terminal
            there are none.
        as_json: lines of JSON.
        as_csv: lines of CSV.
    """
    if as_json and as_csv:
        return complain(OptionError("choose --json or --csv, not both"))
    try:
        items = replay_items(path, choice)
        if as_json:
            for item in items:
                print(json_line(item))
        elif as_csv:
            _export_csv(items)
        else:
            await print_replay(items, Console(highlight=False, markup=False, emoji=False), speed)
    except CasinoError as error:
        return complain(error)
    return 0


def _export_csv(items: Iterator[SeenHand | Note]) -> None:
    export = CsvExport(sys.stdout)
    for item in items:
        export.write(item)


async def print_replay(items: Iterator[SeenHand | Note], console: Console, speed: float) -> None:
    """Print hands and notes on a console, with pauses ``speed`` times shorter than planned; none without a terminal."""
    replay = ReplayLines(console)
    pace = 1 / speed if speed and console.is_terminal else 0.0
    for item in items:
        for line, pause in replay.lines(item):
            console.print(line, soft_wrap=True)
            if pause * pace:
                await trio.sleep(pause * pace)
