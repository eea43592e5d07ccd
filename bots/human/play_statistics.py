"""What a person has won against house bots on this machine, kept between sessions in a small JSON file."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout
from msgspec import Struct, convert, to_builtins
from rich.console import Console
from rich.text import Text

from bots.fitting_table import FittingTable
from bots.human.updates import HandOver, News, Said
from bots.workers.kept_file import replace_file
from dealer.cli.options import data_path
from dealer.cli.tables import new_table
from dealer.errors import CasinoError
from protocol.estimates.exact_mean import ExactMean
from protocol.estimates.intervals import Estimate
from protocol.files import parse_json, read_bytes

#: Seconds to wait for another session that writes to the file, which takes milliseconds.
LOCK_SECONDS = 10.0

#: Columns of the table, and those of them that are numbers. ``entered`` is the share of hands in which the person put
#: in chips by choice on the first street.
HEADINGS = ("game", "against", "hands", "chips", "chips a hand", "entered", "best hand")
NUMBERS = ("hands", "chips", "chips a hand", "entered")


#: Headings and rows of a table.
Rows = tuple[Sequence[str], Sequence[Sequence[str]]]


class StatisticsError(CasinoError):
    """The file cannot be read or written; the text says why and what happens to it."""


class Tally(Struct, frozen=True, forbid_unknown_fields=True):
    """Hands against the same opponents.

    Attributes:
        chips: won, or lost if below zero.
        squares: the sum of the squares of each hand's chips, for the interval.
        entered: hands in which the person put in chips by choice on the first street.
        most: chips won in the best hand; 0 if none was won.
        most_with: what that was won with, in words.
    """

    hands: int = 0
    chips: int = 0
    squares: int = 0
    entered: int = 0
    most: int = 0
    most_with: str = ""

    def plus(self, other: "Tally") -> "Tally":
        """Both together."""
        best = max(self, other, key=lambda tally: tally.most)
        return Tally(
            self.hands + other.hands,
            self.chips + other.chips,
            self.squares + other.squares,
            self.entered + other.entered,
            best.most,
            best.most_with,
        )

    @property
    def chips_a_hand(self) -> Estimate:
        """Chips won a hand, with its 95 % interval."""
        return ExactMean(self.hands, self.chips, self.squares).estimate


#: The tallies of each game, by opponents.
Tallies = dict[str, dict[str, Tally]]


class _File(Struct):
    """What the file holds."""

    format: Literal["casino play statistics 1"]
    games: Tallies


def tally_of(hand: HandOver) -> Tally:
    """The tally of one hand."""
    won = max(hand.chips, 0)
    return Tally(1, hand.chips, hand.chips**2, int(hand.entered), won, hand.won_with if won else "")


def statistics_path() -> Path:
    """The file, in the user's data folder; it may not exist yet."""
    return data_path("play.json")


def opponents_text(names: Sequence[str]) -> str:
    """Opponents by name, the same in any order of seats: ``caller x 2, tight``."""
    counts = {name: list(names).count(name) for name in sorted(names)}
    return ", ".join(name if count == 1 else f"{name} x {count}" for name, count in counts.items())


def read_statistics(path: Path) -> Tallies:
    """The tallies in a file; none if there is no file.

    Raises:
        StatisticsError: the file cannot be read, was cut off, or is no such file.
    """
    try:
        return convert(parse_json(read_bytes(path)), _File).games
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StatisticsError(f"the statistics in {path} cannot be read: {error.strerror}") from None
    except ValueError:  # text that is no UTF-8 or no JSON, or JSON of something else
        raise StatisticsError(f"{path} holds no statistics of casino play; it may have been cut off") from None


@dataclass(frozen=True, slots=True)
class Counting:
    """Counts a person's hands at one table. Each is written at once, so that nothing is lost if the program is killed.

    Several sessions may add to one file at the same time, in threads or in processes: a lock beside it lets one after
    the other read and replace it.

    Attributes:
        path: of the file; its folder is made when it is needed.
        game: what is played there.
        against: the opponents, see ``opponents_text``.
    """

    path: Path
    game: str
    against: str

    def telling(self, post: Callable[[News], object]) -> Callable[[News], object]:
        """A ``post`` for a thread that plays: it counts each hand first, and says what the person should know."""

        def count_and_post(news: News) -> None:
            if isinstance(news, HandOver) and (told := self.add(news)):
                post(Said(told))
            post(news)

        return count_and_post

    def add(self, hand: HandOver) -> str:
        """Add a hand. It waits for the disk, and for other sessions that write, so call it in a thread.

        A file that cannot be understood is kept under another name, and a new one begins.

        Returns:
            What the person should know, in a sentence; empty if all went well.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self.path.with_name(f"{self.path.name}.lock"), timeout=LOCK_SECONDS):
                return self._add(hand)
        except OSError as error:
            why = "another session holds it" if isinstance(error, Timeout) else error.strerror
            return f"Your statistics cannot be written to {self.path}: {why}. This hand is not counted."

    def _add(self, hand: HandOver) -> str:
        """Add a hand while no other session writes.

        Raises:
            OSError: the file cannot be written.
        """
        told = ""
        try:
            tallies = read_statistics(self.path)
        except StatisticsError as error:
            tallies = {}
            try:
                told = f"{_sentence(error)} It is kept as {_put_aside(self.path).name}, and counting begins anew."
            except OSError as trouble:
                return f"{_sentence(error)} It cannot be renamed ({trouble.strerror}), so this hand is not counted."
        entries = dict(tallies.get(self.game, {}))
        entries[self.against] = entries.get(self.against, Tally()).plus(tally_of(hand))
        _write(self.path, {**tallies, self.game: entries})
        return told


def rows_in(path: Path, game: str) -> Rows:
    """What a file holds of one game, as headings and rows of a table; no rows if it cannot be read."""
    try:
        tallies = read_statistics(path)
    except StatisticsError:
        return HEADINGS, []
    return HEADINGS, rows_of({game: tallies[game]} if game in tallies else {})


def _sentence(error: StatisticsError) -> str:
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."


def _put_aside(path: Path) -> Path:
    """Rename a file to a name that is free, and return it.

    Raises:
        OSError: that cannot be done.
    """
    number = 1
    while (kept := path.with_name(f"{path.stem}.kept-{number}{path.suffix}")).exists():
        number += 1
    path.rename(kept)
    return kept


def _write(path: Path, tallies: Tallies) -> None:
    """Replace the file as a whole: a crash leaves the old one or the new one.

    Raises:
        OSError: that cannot be done.
    """
    replace_file(path, json.dumps(to_builtins(_File("casino play statistics 1", tallies)), indent=1))


def facts_of(tallies: Tallies) -> list[dict[str, Any]]:
    """The statistics for ``--json``: a line for each game and its opponents, and one for each game as a whole."""
    return [{"game": game, "against": against, **_figures(tally)} for game, against, tally in _lines(tallies)]


def _figures(tally: Tally) -> dict[str, Any]:
    """The figures of a tally; ``best_hand`` is what the most chips were won with in one hand."""
    return {
        "hands": tally.hands,
        "chips": tally.chips,
        "chips_a_hand": tally.chips_a_hand.as_dict(),
        "entered": tally.entered,
        "best_hand": {"chips": tally.most, "won_with": tally.most_with} if tally.most else None,
    }


def _lines(tallies: Tallies) -> list[tuple[str, str | None, Tally]]:
    """Each game as a whole (without opponents), then by opponents."""
    lines: list[tuple[str, str | None, Tally]] = []
    for game, entries in sorted(tallies.items()):
        whole = Tally()
        for tally in entries.values():
            whole = whole.plus(tally)
        lines.append((game, None, whole))
        lines += [(game, against, tally) for against, tally in sorted(entries.items())]
    return lines


def show_statistics(tallies: Tallies, path: Path, as_json: bool) -> None:
    """Print the statistics, as a table, a list on a narrow terminal, or JSON."""
    if as_json:
        print(json.dumps(facts_of(tallies), indent=2))
        return
    if not tallies:
        print(f"No hand was played against house bots yet. Statistics will be kept in {path}.")
        return
    table = new_table()
    for heading in HEADINGS:
        table.add_column(heading, no_wrap=heading != HEADINGS[-1], justify="right" if heading in NUMBERS else "left")
    for row in rows_of(tallies):
        table.add_row(*map(Text, row))
    Console().print(FittingTable(table, HEADINGS))


def rows_of(tallies: Tallies) -> list[tuple[str, ...]]:
    """The statistics as cells of a table; see ``HEADINGS``."""
    rows: list[tuple[str, ...]] = []
    for game, against, tally in _lines(tallies):
        low, high = tally.chips_a_hand.interval or (None, None)
        interval = "" if low is None or high is None else f" ± {(high - low) / 2:.2f}"
        rows.append(
            (
                game,
                "all" if against is None else against,
                str(tally.hands),
                f"{tally.chips:+}",
                f"{tally.chips_a_hand.value:+.2f}{interval}",
                f"{tally.entered / tally.hands:.0%}" if tally.hands else "",
                f"+{tally.most}, {tally.most_with}" if tally.most else "",
            )
        )
    return rows
