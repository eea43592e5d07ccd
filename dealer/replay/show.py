"""The command ``casino replay``: print hands of a journal for people, or export them as JSON, CSV or hand histories."""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from rich.console import Console
from rich.text import Text

from dealer.audit.hands import ReplayedHand
from dealer.cli.output import complain
from dealer.errors import CasinoError, OptionError
from dealer.replay.export import CsvExport, json_line
from dealer.replay.hand_history import HandHistory, find_history
from dealer.replay.hand_screen import CardStyle, HandScreen, NoteSentences
from dealer.replay.journal_reader import Choice, replay_hands, replay_items
from dealer.replay.notes import Note
from dealer.replay.seen_hand import SeenHand
from protocol.games.game import Game

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
            _export_csv(items)
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


def _export_csv(items: Iterator[SeenHand | Note]) -> None:
    export = CsvExport(sys.stdout)
    for item in items:
        export.write(item)


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
