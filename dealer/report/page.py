"""``index.html``: one file that needs nothing else, and no network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from importlib.resources import files

from dealer.player import Player
from dealer.refold import Refold
from dealer.report import figures as draw
from dealer.report import tables
from dealer.report.curves import TableCurves
from dealer.report.head_to_head import ENOUGH_UNITS, HeadToHead
from dealer.report.names import Label
from dealer.report.reading import Survey
from dealer.report.tally import Figures


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a page tells.

    Attributes:
        fold: of the whole journal.
        survey: of the same.
        labels: what players are called.
        figures: of each player.
        curves: of each table.
        pairs: what players won from each other.
    """

    fold: Refold
    survey: Survey
    labels: Mapping[Player, Label]
    figures: Mapping[Player, Figures]
    curves: Sequence[TableCurves]
    pairs: HeadToHead

    @property
    def hands(self) -> int:
        """Finished at all tables together."""
        return sum(table.finished for table in self.fold.ledger.tables)

    @property
    def title(self) -> str:
        """What was played, in a line."""
        game = self.fold.ledger.settings.game.title
        return f"{game[0].upper()}{game[1:]}: {len(self.labels)} players, {self.hands:,} hands"


def page(findings: Findings) -> str:
    """The whole page.

    Raises:
        ReportError: plotly is missing.
    """
    sections = [
        _standings(findings),
        *_curves(findings),
        _ways(findings),
        _replies(findings),
        _head_to_head(findings),
        _faults(findings),
        _check(findings),
    ]
    return _PAGE.format(
        title=escape(findings.title),
        style=_resource("page.css"),
        plotly=draw.plotly("offline").get_plotlyjs(),
        facts=_facts(findings),
        sections="\n".join(sections),
        script=_resource("page.js"),
    )


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _facts(findings: Findings) -> str:
    fold, survey = findings.fold, findings.survey
    assert fold.start is not None
    settings = fold.ledger.settings
    began = datetime.fromtimestamp(fold.start["started"], UTC).strftime("%Y-%m-%d %H:%M UTC")
    agreed = {**settings.game.facts, "limit": f"{settings.limit:g} s", "lives": settings.lives}
    lines = [f"Begun {began}; " + ", ".join(f"{key} {value}" for key, value in agreed.items()) + "."]
    if settings.duplicate and fold.ledger.duplicate:
        progress = fold.ledger.duplicate.progress()
        lines.append(
            f"A duplicate league: {progress['complete']} of {progress['deals']} deals were played in all "
            f"{progress['rotations']} rotations, and only those count for places."
        )
    elif settings.games > 1:
        lines.append(f"{settings.games} games, each with equal stacks at its beginning.")
    if survey.resumed:
        times = "once" if survey.resumed == 1 else f"{survey.resumed} times"
        lines.append(f"The dealer was started again {times}; {survey.voided} hands under way did not count.")
    facts = "".join(f'<p class="facts">{escape(line)}</p>' for line in lines)
    return "".join(f'<p class="warning">{escape(line)}</p>' for line in warnings(findings)) + facts


def warnings(findings: Findings) -> list[str]:
    """What a reader must know before believing the figures."""
    lines = []
    if not findings.fold.ended:
        lines.append("This tournament has not ended: places are those of the moment, and hole cards are in this page.")
    if findings.survey.torn is not None:
        lines.append(
            f"The end of the journal is torn; this is all that is whole in it ({findings.survey.records} records)."
        )
    return lines


def _check(findings: Findings) -> str:
    """How to see that nobody cheated. The seed stays secret while it can still deal a card."""
    fold = findings.fold
    assert fold.start is not None
    text = f"<dl><dt>commitment</dt><dd><code>{escape(fold.start['commitment'])}</code></dd>"
    if fold.ended:
        text += f"<dt>seed</dt><dd><code>{fold.ledger.settings.seed.hex()}</code></dd>"
    note = "The dealer showed the commitment, which is the SHA-256 of the seed, before the first hand. "
    if fold.ended:
        note += "Every deck follows from the seed, and casino verify holds the whole journal against it."
    else:
        note += "The seed stays secret until the end."
    return _section("Nobody has to trust the dealer", note, f"{text}</dl>")


def _standings(findings: Findings) -> str:
    return _section("Standings", "", tables.standings_table(findings.fold.ledger, findings.labels, findings.figures))


def _curves(findings: Findings) -> list[str]:
    settings, looks = findings.fold.ledger.settings, draw.styles(findings.labels)
    several_games = settings.duplicate or settings.games > 1
    base = 0 if several_games else settings.game.start(2).stacks[0]
    sections = []
    for number, table in enumerate(findings.curves):
        where = f" at table {number}" if len(findings.curves) > 1 else ""
        chips = draw.chip_curves(table, base, looks, settings.duplicate)
        places = draw.place_curves(table, looks)
        what = "Chips won in all games so far." if several_games else "Chips behind each hand."
        sections.append(_section(f"Chips{where}", f"{what} {_LEGEND}", _figure(chips, f"chips-{number}")))
        note = "By chips, among those still in; whoever has left is no longer shown."
        sections.append(_section(f"Places{where}", note, _figure(places, f"places-{number}")))
    return sections


_LEGEND = "Tap a name to hide it, twice to see it alone."


def _ways(findings: Findings) -> str:
    note = "How often each player collected something of a pot, and by what."
    ways = draw.winning_ways(findings.figures, draw.styles(findings.labels))
    return _section("Hands won", note, _figure(ways, "ways"))


def _replies(findings: Findings) -> str:
    limit = findings.fold.ledger.settings.limit
    note = (
        "Milliseconds until the reply. A box holds the middle half, the line in it is the median, whiskers reach from "
        f"1 % to 99 %, and the mark is the longest. The dotted line is the limit of {limit:g} s."
    )
    boxes = draw.reply_boxes(findings.figures, draw.styles(findings.labels), limit)
    return _section("Reply times", note, _figure(boxes, "replies"))


def _head_to_head(findings: Findings) -> str:
    settings = findings.fold.ledger.settings
    unit = "deals" if settings.duplicate else "games" if settings.game.in_games else "hands"
    note = (
        "Chips that the player of the row won from the player of the column, per hand dealt to both. Each player's "
        "contribution to a pot is shared among its winners in proportion to their shares of it. Below it is half of "
        f"the 95 % interval, from {unit} that count as independent. A cell has a colour where {ENOUGH_UNITS} {unit} "
        "or more leave little doubt about the sign; by luck alone one in twenty would."
    )
    ledger = findings.fold.ledger
    parts = []
    for table in ledger.tables:
        if len(ledger.tables) > 1:
            parts.append(f"<h3>Table {table.number}</h3>")
        parts.append(tables.matrix(table, findings.labels, findings.pairs))
    return _section("Head to head", note, "\n".join(parts))


def _faults(findings: Findings) -> str:
    players = [standing.player for standing in findings.fold.ledger.standings()]
    return _section("Faults and goodbyes", "", tables.faults(players, findings.labels, findings.figures))


def _section(title: str, note: str, body: str) -> str:
    """One part of the page; ``title`` and ``note`` are text, ``body`` is HTML."""
    told = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<section><h2>{escape(title)}</h2>{told}{body}</section>"


def _figure(figure: object, name: str) -> str:
    return f'<div class="figure">{draw.fragment(figure, name)}</div>'


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>
{style}</style>
<script>{plotly}</script>
</head>
<body>
<main>
<h1>{title}</h1>
{facts}
{sections}
</main>
<script>
{script}</script>
</body>
</html>
"""
