"""The HTML file of a report: one new file."""

from pathlib import Path

from dealer.errors import OptionError, ReportError
from protocol.charts.html_file import missing


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
