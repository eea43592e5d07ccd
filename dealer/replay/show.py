"""``casino replay``: a recorded tournament, watched or exported; the exit code says how far that was possible."""

import sys
from collections.abc import Iterator
from pathlib import Path

import trio
from rich.console import Console

from dealer.cli.output import complain
from dealer.errors import CasinoError, OptionError
from dealer.replay.export import CsvExport, json_line
from dealer.replay.journal_reader import Choice, watch
from dealer.replay.notes import Note
from dealer.replay.script import Script
from dealer.replay.terminal import Painter


async def replay_journal(path: Path, choice: Choice, speed: float, as_json: bool, as_csv: bool) -> int:
    """Show what was asked for, as far as the journal is whole; the exit code.

    Args:
        path: of the journal.
        choice: what is asked for.
        speed: how many times faster than a class can follow; 0 makes no pauses, and without a terminal there are none.
        as_json: lines of JSON.
        as_csv: lines of CSV.
    """
    if as_json and as_csv:
        return complain(OptionError("choose --json or --csv, not both"))
    try:
        items = watch(path, choice)
        if as_json:
            for item in items:
                print(json_line(item))
        elif as_csv:
            _export_csv(items)
        else:
            await perform(items, Console(highlight=False, markup=False, emoji=False), speed)
    except CasinoError as error:
        return complain(error)
    return 0


def _export_csv(items: Iterator[Script | Note]) -> None:
    export = CsvExport(sys.stdout)
    for item in items:
        export.write(item)


async def perform(items: Iterator[Script | Note], console: Console, speed: float) -> None:
    """Show a tournament on a console; pauses are ``speed`` times shorter than planned, and none without a terminal."""
    painter = Painter(console)
    pace = 1 / speed if speed and console.is_terminal else 0.0
    for item in items:
        for line, pause in painter.lines(item):
            console.print(line, soft_wrap=True)
            if pause * pace:
                await trio.sleep(pause * pace)
