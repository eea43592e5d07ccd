"""How commands look in a terminal: tables, progress, cards, and colours of verdicts."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from protocol.cards import RANK_TEXT, SUIT_SYMBOL, SUIT_TEXT, UNKNOWN, Suit
from protocol.estimates.intervals import Estimate

#: The colours of verdicts; rich leaves them out of pipes and files, and where NO_COLOR is set.
VERDICTS: Mapping[str, str] = {"passed": "green", "partly": "yellow", "failed": "red", "not judged": "dim"}

#: Seconds between two looks of a bar at the work; and between two lines that tell of it, where there is no terminal.
BAR_SECONDS, LINE_SECONDS = 0.1, 30.0

#: The part of the work after which the time left can be told.
FORESEEN_FROM = 0.05


def new_table(title: str | None = None, *, lines: bool = False, narrow: bool = False) -> Table:
    """A table without columns and rows.

    Args:
        title: shown above it, with nothing taken for markup.
        lines: whether an empty line divides the rows, for cells of several lines.
        narrow: whether there is one blank between columns instead of two, to fit many in 80 characters.
    """
    return Table(
        title=None if title is None else Text(title),
        title_justify="left",
        title_style="bold",
        header_style="bold",
        box=SIMPLE_HEAD,
        show_edge=False,
        show_lines=lines,
        padding=0 if narrow else (0, 1, 0, 0),
    )


def signed(estimate: Estimate, form: str = ".2f") -> tuple[str, ...]:
    """A mean and its interval as tables show them, with signs; dashes for an interval that is not known."""
    low, high = estimate.interval or (None, None)
    return f"{estimate.value:+z{form}}", *("-" if end is None else f"{end:+z{form}}" for end in (low, high))


def coloured(verdict: str, text: str | None = None) -> Text:
    """A text in the colour of a verdict: the verdict itself, or something that is said about it."""
    return Text(verdict if text is None else text, VERDICTS[verdict])


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress bar on standard error, on a terminal only."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        yield bar


@contextmanager
def working_progress(
    total: int, done: int = 0, clock: Callable[[], float] = monotonic
) -> Iterator[Callable[[int, str], None]]:
    """Tell on standard error how far a command is: by a bar on a terminal, else by a line every half a minute.

    Args:
        total: parts of the work.
        done: parts of it that were done before.
        clock: the time, in seconds.

    Yields:
        A function to be told how many parts are done and what is going on. It costs nothing to call it often.
    """
    with progress_bar() as bar:
        task, begun = bar.add_task("", completed=done, total=total), clock()
        pause = LINE_SECONDS if bar.disable else BAR_SECONDS
        due = begun + pause

        def tell(now_done: int, what: str) -> None:
            nonlocal due
            if (now := clock()) < due:
                return
            due = now + pause
            bar.update(task, completed=now_done, description=what)
            if bar.disable:
                new, left = now_done - done, total - now_done
                foreseen = (
                    f", about {_duration((now - begun) * left / new)} left" if new > FORESEEN_FROM * total else ""
                )
                print(f"casino: {what}: {now_done / total:.0%} done{foreseen}", file=sys.stderr, flush=True)

        yield tell


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


@contextmanager
def reading_progress(what: str, path: Path) -> Iterator[Callable[[int], object]]:
    """A progress bar for a file that is read; it is told the bytes read so far."""
    size = None
    with suppress(OSError):  # reading it fails too, with an error that says why
        size = path.stat().st_size
    with progress_bar() as bar:
        task = bar.add_task(what, total=size)
        yield lambda place: bar.update(task, completed=place)


_CARD = re.compile(rf"(?<!\w)({'|'.join(RANK_TEXT.values())})([{''.join(SUIT_TEXT.values())}])(?!\w)")
_SYMBOLS = {SUIT_TEXT[suit]: SUIT_SYMBOL[suit] for suit in Suit}
_RED = {SUIT_TEXT[suit] for suit in (Suit.DIAMONDS, Suit.HEARTS)}


class CardStyle:
    """The way in which a console writes cards: with symbols of suits if it has them, else as messages do.

    Attributes:
        symbols: whether it can show them, and all else outside ASCII that a replay shows of its own accord.
    """

    def __init__(self, console: Console) -> None:
        try:
            "".join([*_SYMBOLS.values(), "…"]).encode(console.encoding)
            self.symbols = not console.legacy_windows
        except (UnicodeEncodeError, LookupError):
            self.symbols = False

    def word(self, card: str) -> Text:
        """A card; of an imported hand, it may be one that is not known. A die stays as it is."""
        if card == UNKNOWN.text:
            return Text(card, "dim")
        value, suit = card[:-1], card[-1]
        if suit not in _SYMBOLS:
            return Text(card)
        return Text(value + (_SYMBOLS[suit] if self.symbols else suit), "red" if suit in _RED else "")

    def words(self, cards: Sequence[str]) -> Text:
        """Cards within a sentence."""
        return Text(" ").join(self.word(card) for card in cards)


def drawn(text: str, console: Console) -> Text:
    """A text with suit symbols for the letters of its cards; as it is where the console cannot show the symbols."""
    cards = CardStyle(console)
    if not cards.symbols:
        return Text(text)
    shown, end = Text(), 0
    for found in _CARD.finditer(text):
        shown.append(text[end : found.start()]).append_text(cards.word(found[0]))
        end = found.end()
    return shown.append(text[end:])
