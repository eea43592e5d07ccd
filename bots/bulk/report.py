"""The page of a bulk tournament's report (``--report``), whose HTML is in ``templates/bulk_report.html``."""

from bots.bulk.output import LABELS, cells_of, interval_text, standings_title
from bots.bulk.standings import Standings
from bots.report_file import render
from protocol.estimates.intervals import Estimate


def report_page(standings: Standings) -> str:
    """The text of the page.

    Raises:
        ReportError: Jinja2 is not installed.
    """
    order = [row.player for row in standings.rows]
    return render(
        "bots.bulk",
        "bulk_report.html",
        title=standings_title(standings.plan),
        headings=[label[0].upper() + label[1:] for label in LABELS],
        rows=[cells_of(row) for row in standings.rows],
        names=[standings.names[player] for player in order],
        cross=[[_cell(standings.cross[player][other]) for other in order] for player in order],
        violations=[f"{row.name}: {violation}" for row in standings.rows for violation in row.violations],
        seed=standings.plan.seed,
    )


def _cell(found: Estimate | None) -> dict[str, str]:
    if found is None:
        return {"value": "-", "interval": "", "sort": ""}
    sort = "won" if found.low > 0 else "lost" if found.high < 0 else ""
    return {"value": f"{found.value:+.4f}", "interval": interval_text(found), "sort": sort}
