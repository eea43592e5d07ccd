"""``index.html``: one file that needs nothing else, and no network."""

from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from importlib.resources import files

from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.report import figures as draw
from dealer.report import page_tables as tables
from dealer.report.contents import Findings
from dealer.report.curve_sections import curve_sections
from dealer.report.head_to_head import ENOUGH_UNITS
from dealer.report.names import Label
from dealer.report.page_parts import figure, section


def page(findings: Findings) -> str:
    """The whole page.

    Raises:
        ReportError: plotly is missing.
    """
    sections = [
        _standings(findings),
        *curve_sections(findings),
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
    lines += _course(fold.ledger)
    if survey.resumed:
        times = "once" if survey.resumed == 1 else f"{survey.resumed} times"
        lines.append(f"The dealer was started again {times}; {survey.voided} hands under way did not count.")
    facts = "".join(f'<p class="facts">{escape(line)}</p>' for line in lines)
    return "".join(f'<p class="warning">{escape(line)}</p>' for line in warnings(findings)) + facts


def _course(ledger: Ledger) -> list[str]:
    """Tables, rounds and levels, where there is more than one."""
    lines = []
    if len(ledger.seating.tables) > 1:
        moves = (
            "; players move between them, so that they stay as full as each other"
            if ledger.seating.sends_players
            else ""
        )
        lines.append(f"{len(ledger.seating.tables)} tables{moves}.")
    if ledger.seating.rounds > 1:
        lines.append(
            f"{ledger.seating.rounds} rounds, each at new tables with equal stacks; "
            f"places and chips are those of round {ledger.seating.round}."
        )
    if ledger.settings.levels is not None:
        lines.append(
            f"Antes rise every {ledger.settings.levels} hands of a table; they have come to "
            f"{ledger.levels.ante(ledger.levels.level)}, at level {ledger.levels.level}."
        )
    return lines


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
    return section("Nobody has to trust the dealer", note, f"{text}</dl>")


def _standings(findings: Findings) -> str:
    return section("Standings", "", tables.standings_table(findings.fold.ledger, findings.labels, findings.figures))


def _ways(findings: Findings) -> str:
    note = f"How often each player collected something of a pot, and by what. {_best(findings)}"
    ways = draw.winning_ways(findings.figures, findings.order, findings.looks)
    return section("Hands won", note, figure(ways, "ways"))


def _replies(findings: Findings) -> str:
    limit = findings.fold.ledger.settings.limit
    note = (
        "Milliseconds until the reply. A box holds the middle half, the line in it is the median, whiskers reach from "
        f"1 % to 99 %, and the mark is the longest. The dotted line is the limit of {limit:g} s. " + _best(findings)
    )
    boxes = draw.reply_boxes(findings.figures, findings.order, findings.looks, limit)
    return section("Reply times", note, figure(boxes, "replies"))


def _best(findings: Findings) -> str:
    """What is said where a figure has no room for all."""
    many = len(findings.labels)
    return "" if many <= draw.BARS else f"The best {draw.BARS} of {many} are shown."


def _head_to_head(findings: Findings) -> str:
    settings = findings.fold.ledger.settings
    unit = "deals" if settings.duplicate else "games" if settings.game.in_games else "hands"
    note = (
        "Chips that the player of the row won from the player of the column, per hand dealt to both. Each player's "
        "contribution to a pot is shared among its winners in proportion to their shares of it. Below it is half of "
        f"the 95 % interval, from {unit} that count as independent. A cell has a colour where {ENOUGH_UNITS} {unit} "
        "or more leave little doubt about the sign; by luck alone one in twenty would."
    )
    return section("Head to head", note, _matrices(findings))


def _matrices(findings: Findings) -> str:
    """One of all players, or of the best, where they meet each other; else one for each table."""
    ledger, labels, pairs = findings.fold.ledger, findings.labels, findings.pairs
    one_table = len(ledger.seating.tables) == 1
    if one_table or ledger.seating.sends_players or ledger.seating.rounds > 1:
        shown = findings.order if one_table else findings.order[: draw.BARS]
        best = "" if len(shown) == len(labels) else f'<p class="note">The best {len(shown)} of {len(labels)}.</p>'
        return best + tables.matrix(_by_number(shown, labels), labels, pairs)
    parts = []
    for table in ledger.seating.tables:
        parts.append(f"<h3>Table {table.number}</h3>")
        parts.append(tables.matrix(_by_number(table.players, labels), labels, pairs))
    return "\n".join(parts)


def _by_number(players: list[Player], labels: Mapping[Player, Label]) -> list[Player]:
    return sorted(players, key=lambda player: labels[player].number)


def _faults(findings: Findings) -> str:
    told = tables.faults(findings.fold.ledger, findings.labels, findings.figures)
    return section("Faults and goodbyes", "", told)


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
