"""The command ``casino replay``: print hands of a journal for people, or export them as JSON, CSV or hand histories."""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import trio
from rich.console import Console

from dealer.audit.hands import ReplayedHand
from dealer.cli.output import complain
from dealer.errors import CasinoError, OptionError
from dealer.replay.export import CsvExport, json_line
from dealer.replay.hand_history import HandHistory, find_history
from dealer.replay.journal_reader import Choice, replay_hands, replay_items
from dealer.replay.notes import Note
from dealer.replay.seen_hand import SeenHand
from dealer.replay.terminal import ReplayLines
from protocol.games.game import Game


async def replay_journal(
    path: Path,
    choice: Choice,
    speed: float,
    as_json: bool,
    as_csv: bool,
    export: str | None = None,
    *,
    wire: bool = False,
) -> int:
    """Print the hands that were asked for, as far as the journal is whole; the exit code.

    Args:
        path: of the journal.
        choice: what is asked for.
        speed: divides the pauses between lines, which a class can follow at 1; 0 for no pauses. Without a terminal
            there are none.
        as_json: lines of JSON.
        as_csv: lines of CSV.
        export: the format of hand histories that is wanted instead; None for none.
        wire: cards as messages write them, for people.
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
            _export_csv(items)
        else:
            await print_replay(items, Console(highlight=False, markup=False, emoji=False), speed, wire)
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


def _export_csv(items: Iterator[SeenHand | Note]) -> None:
    export = CsvExport(sys.stdout)
    for item in items:
        export.write(item)


async def print_replay(items: Iterator[SeenHand | Note], console: Console, speed: float, wire: bool = False) -> None:
    """Print hands and notes on a console, with pauses ``speed`` times shorter than planned; none without a terminal."""
    replay = ReplayLines(console, wire=wire)
    pace = 1 / speed if speed and console.is_terminal else 0.0
    for item in items:
        for line, pause in replay.lines(item):
            console.print(line, soft_wrap=True)
            if pause * pace:
                await trio.sleep(pause * pace)
