"""The report of a bulk tournament (``--report``): one HTML file that needs no network.

Its HTML is in ``templates/bulk_report.html``. Autoescape makes text of every value, so that the name of an AI, which
its author chose, cannot become HTML.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from bots.bulk.output import LABELS, cells_of, interval_text, standings_title
from bots.bulk.plan import BulkError
from bots.bulk.standings import Standings
from protocol.estimates.intervals import Estimate


def check_report(path: Path) -> None:
    """Find out before the first deal whether a report can be written.

    Raises:
        BulkError: Jinja2 is not installed, the file exists, or nothing can be written there.
    """
    _jinja()
    if path.exists():
        raise BulkError(f"there is already a file {path}: name a new one for the report, or delete it")
    if not path.parent.is_dir():
        raise BulkError(f"cannot write the report {path}: there is no such folder")


def write_report(standings: Standings, path: Path) -> None:
    """Write the file, which must be new.

    Raises:
        BulkError: Jinja2 is not installed, or the file system refused it.
    """
    page = report_page(standings)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(page)
    except OSError as error:
        raise BulkError(f"cannot write the report {path}: {error.strerror}") from None


def report_page(standings: Standings) -> str:
    """The text of the page.

    Raises:
        BulkError: Jinja2 is not installed.
    """
    jinja2 = _jinja()
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("bots.bulk"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,  # a misspelt value is an error, not a gap in the page
        trim_blocks=True,
        lstrip_blocks=True,
    )
    order = [row.player for row in standings.rows]
    html: str = environment.get_template("bulk_report.html").render(
        title=standings_title(standings.plan),
        headings=[label[0].upper() + label[1:] for label in LABELS],
        rows=[cells_of(row) for row in standings.rows],
        names=[standings.names[player] for player in order],
        cross=[[_cell(standings.cross[player][other]) for other in order] for player in order],
        violations=[f"{row.name}: {violation}" for row in standings.rows for violation in row.violations],
        seed=standings.plan.seed,
    )
    return html


def _cell(found: Estimate | None) -> dict[str, str]:
    if found is None:
        return {"value": "-", "interval": "", "sort": ""}
    sort = "won" if found.low > 0 else "lost" if found.high < 0 else ""
    return {"value": f"{found.value:+.4f}", "interval": interval_text(found), "sort": sort}


def _jinja() -> Any:
    try:
        return import_module("jinja2")
    except ImportError:
        raise BulkError("a report needs jinja2: pip install '.[report]' in the folder of Casino Day") from None
