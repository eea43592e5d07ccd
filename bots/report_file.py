"""The report of a command: a page of tables and charts, in one new HTML file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dealer.errors import OptionError, ReportError
from protocol.charts.chart import Chart
from protocol.charts.html_file import missing, render


class Cell(NamedTuple):
    """A cell of a table that is more than its text.

    Attributes:
        below: smaller, in the next line.
        kind: ``name``, or ``won`` and ``lost`` for a difference that is beyond chance.
    """

    text: str
    below: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A table of a page, with the charts below it.

    Attributes:
        heading: above it; empty where it is all there is, below the title.
        about: what was played, in words; empty where that was said.
        notes: below the table, a paragraph each.
    """

    heading: str
    about: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    notes: Sequence[str]
    charts: Sequence[Chart] = ()


def write_page(title: str, parts: Sequence[Part]) -> str:
    """The text of a page."""
    return render("bots", "report.html", styles=["report.css"], title=title, parts=parts)


def check_report(path: Path) -> None:
    """Find out before anything is played whether a report can be written.

    Raises:
        ReportError: something is not installed.
        OptionError: the file exists, or there is no place for it.
    """
    if (lacking := missing()) is not None:
        raise ReportError(lacking)
    if path.is_dir() or not path.parent.is_dir():
        raise OptionError(
            f"cannot write the report {path}: {'it is a' if path.is_dir() else 'there is no such'} folder"
        )
    if path.exists():
        raise OptionError(f"there is already a file {path}: name a new one for the report, or delete it")


def write_report(page: str, path: Path) -> None:
    """Write the file, which must be new.

    Raises:
        ReportError: the file system refused it.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(page)
    except OSError as error:
        raise ReportError(f"cannot write the report {path}: {error.strerror}") from None
