"""The columns of standings: the one list from which every table of standings is made.

The terminal, the report's page and its CSV file, the results as JSON, the journal's ``end`` record, the check of that
record and the feed all take their columns from here. To add one, add it to ``COLUMNS``. Columns that only one format
has, such as points, are told by the format (``Format.columns``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from shutil import get_terminal_size
from typing import Any

from rich.table import Table
from rich.text import Text

from dealer.cli.tables import new_table
from dealer.faults import NO_MISTAKES
from dealer.ledger.standings import Standing


def same(value: Any) -> Any:
    """The value itself."""
    return value


def count(value: Any) -> str:
    """A whole number with commas, as the report's page shows it."""
    return f"{value:,}"


def signed(value: float) -> str:
    """A number with its sign and two places, as the report's page shows it."""
    text = f"{value:+.2f}"
    return "0.00" if text[1:] == "0.00" else text


def milliseconds(seconds: float | None) -> str:
    """A reply time as tables show it."""
    if seconds is None:
        return "-"
    return f"{seconds * 1000:.2f}" if seconds < 0.1 else f"{seconds * 1000:.0f}"


def reply_time(seconds: float) -> str:
    """A reply time with its unit; a person may take a minute: "0.51 ms", "57.7 s"."""
    return f"{milliseconds(seconds)} ms" if seconds < 1 else f"{seconds:.1f} s"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of standings.

    Attributes:
        key: its name in JSON and in the journal.
        value: the fact of a standing, as JSON holds it.
        heading: in the terminal; None to leave it out there.
        title: on the report's page; None to leave it out there.
        sheet: in the CSV file; None to leave it out there.
        public: whether the feed tells the fact, to everybody.
        exact: whether a journal read again must come to the same fact; the last digits of percentiles may differ from
            machine to machine.
        number: what tables show of the fact.
        text: how the terminal writes that.
        page: how the report's page writes that.
        margin: half the width of its interval, as the report's page writes it; empty where there is none.
        name: whether it is text, which takes more lines when it is long, and loses nothing.
    """

    key: str
    value: Callable[[Standing], Any]
    heading: str | None = None
    title: str | None = None
    sheet: str | None = None
    public: bool = False
    exact: bool = True
    number: Callable[[Any], Any] = same
    text: Callable[[Any], str] = str
    page: Callable[[Any], str] = count
    margin: Callable[[Standing], str] = lambda standing: ""
    name: bool = False

    def shown(self, standing: Standing, write: Callable[[Any], str]) -> str:
        """The text of a cell, by ``write``; a dash where nothing is known."""
        number = self.number(self.value(standing))
        return "-" if number is None else write(number)


def with_interval(
    average: Column, interval: Callable[[Standing], tuple[float, float] | None]
) -> tuple[Column, Column, Column]:
    """The column of an average, and those of the two ends of its 95 % interval, which is None where it is not known.

    On the report's page, half the width of the interval stands with the average.
    """

    def end(standing: Standing, index: int) -> float | None:
        found = interval(standing)
        return found and found[index]

    def margin(standing: Standing) -> str:
        found = interval(standing)
        return "" if found is None else f"{(found[1] - found[0]) / 2:.2f}"

    low = Column("interval_from", lambda one: end(one, 0), "95 %\nfrom", sheet="interval_from", text=average.text)
    high = Column("interval_to", lambda one: end(one, 1), "\nto", sheet="interval_to", text=average.text)
    return replace(average, margin=margin), low, high


def _mistakes(faults: Sequence[Mapping[str, str]]) -> int:
    """The number of these faults that are mistakes of the program: quitting does not count."""
    return sum(fault["kind"] not in NO_MISTAKES for fault in faults)


PLACE = Column("place", lambda standing: standing.place, "Place", public=True)
AVATAR = Column("avatar", lambda standing: standing.player.avatar, "Avatar", public=True, name=True)
BOT = Column("bot", lambda standing: standing.player.program, "Bot", name=True)
DECISIONS = Column(
    "decisions", lambda standing: standing.player.decisions, "Deci-\nsions", "Decisions", "decisions", public=True
)
FAULTS = Column(
    "faults",
    lambda standing: [{"kind": fault.kind.value, "reason": fault.reason} for fault in standing.player.faults],
    "Faults",
    "Faults",
    "faults",
    number=_mistakes,
)
REPLY_P99 = Column(
    "reply_p99",
    lambda standing: standing.player.reply_times.quantile(0.99),
    "ms\np99",
    "99 % of replies, ms",
    "reply_p99_ms",
    public=True,
    exact=False,
    text=milliseconds,
    page=milliseconds,
)

#: All columns, in the order in which JSON and the journal tell them.
COLUMNS: Sequence[Column] = (
    PLACE,
    Column("id", lambda standing: standing.player.id),
    AVATAR,
    BOT,
    Column("chips", lambda standing: standing.chips, "Chips", "Chips", "chips", public=True),
    Column("points", lambda standing: None if standing.points is None else standing.points / 2, public=True),
    Column(
        "hands_won",
        lambda standing: standing.player.hands_won,
        "Hands\nwon",
        "Hands won",
        "hands_won",
        public=True,
    ),
    Column(
        "hands_survived",
        lambda standing: standing.player.hands_survived,
        "Sur-\nvived",
        "Hands survived",
        "hands_survived",
        public=True,
    ),
    DECISIONS,
    FAULTS,
    Column(
        "reply_p50",
        lambda standing: standing.player.reply_times.quantile(0.5),
        "ms\np50",
        "Median reply, ms",
        "reply_p50_ms",
        public=True,
        exact=False,
        text=milliseconds,
        page=milliseconds,
    ),
    REPLY_P99,
    Column("left", lambda standing: standing.player.left, sheet="left"),
)


def facts_of(standing: Standing) -> dict[str, Any]:
    """All facts of a standing, for JSON and for the journal; reply times in seconds."""
    return {column.key: column.value(standing) for column in COLUMNS}


def table(title: str, standings: Sequence[Standing], columns: Sequence[Column] = COLUMNS) -> Table:
    """The columns that have a heading, as far as the terminal has room for them."""
    found = new_table(title, narrow=True)
    shown = fitting(standings, columns, get_terminal_size().columns)
    for column in shown:
        assert column.heading is not None
        if column.name:
            found.add_column(column.heading, overflow="fold")
        else:
            found.add_column(column.heading, justify="right", no_wrap=True)
    for standing in standings:
        cells = [column.shown(standing, column.text) for column in shown]
        # Text, because names may hold what rich would take for markup.
        found.add_row(*(Text(cell) if column.name else cell for column, cell in zip(shown, cells, strict=True)))
    return found


#: Columns that a narrow terminal leaves out, the first one first.
_SPARE = ("reply_p50", "hands_survived", "decisions", "bot", "reply_p99", "hands_won", "faults")

#: Characters that a column of names needs.
_NAME_WIDTH = 8


def fitting(standings: Sequence[Standing], columns: Sequence[Column], width: int) -> Sequence[Column]:
    """The columns that a terminal of so many characters has room for; places, avatars and results always stay."""
    shown = [column for column in columns if column.heading is not None]
    for key in _SPARE:
        if sum(_width(column, standings) + 1 for column in shown) <= width:
            break
        shown = [column for column in shown if column.key != key]
    return shown


def _width(column: Column, standings: Sequence[Standing]) -> int:
    """The characters that a column needs at least."""
    if column.name:
        return _NAME_WIDTH
    cells = [*(column.heading or "").split("\n"), *(column.shown(standing, column.text) for standing in standings)]
    return max(map(len, cells))


def standings_table(standings: Sequence[Standing]) -> Table:
    """The standings as the terminal shows them."""
    return table("Standings", standings)
