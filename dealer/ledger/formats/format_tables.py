"""Standings of series, round robins and Swiss tournaments, as a terminal of 80 columns shows them."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from dealer.ledger.formats.pairing_scores import PairingScores
from dealer.ledger.formats.points import shown
from dealer.ledger.formats.series import SeriesScores
from dealer.ledger.formats.tie_breaks import Result
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player

COLUMNS = 80
NAME_COLUMNS = 8
"""So much of a line each of two names needs, or it takes too many lines."""

#: What is behind the plus-minus sign is the model's own spread, which holds less than 95 % of true strengths.
_RATING = "Rating\n\N{PLUS-MINUS SIGN}1.96\N{GREEK SMALL LETTER SIGMA}"
_BREAKS = {"buchholz_cut_1": "Buchh.\ncut 1", "buchholz": "Buch-\nholz", "sonneborn_berger": "Sonn.-\nBerger"}


def series_table(standings: Sequence[Standing], scores: SeriesScores) -> Table:
    """Places and scores of a series; a long name takes more lines, and loses nothing."""
    table = _table("Series", ("Points", "Won", "Shared", "Average\nplace", _RATING))
    for standing in standings:
        score = scores.by_player[standing.player]
        average = score.average_place
        table.add_row(
            *_who(standing),
            shown(score.total),
            str(score.won),
            str(score.shared),
            "-" if average is None else f"{average:.2f}",
            str(scores.ratings[standing.player]),
        )
    return table


def pairings_table(standings: Sequence[Standing], scores: PairingScores) -> Table:
    """Places and scores of a round robin, with the result of each pairing if that fits, or of a Swiss tournament.

    In a column of results the number is the opponent's place in the table from the top: 1, ½ or 0 points, ``+`` and
    ``-`` for a pairing that was not played.
    """
    crossed = _cross(standings, scores) if not scores.swiss else None
    if crossed and _fits(crossed):
        table = _table("Round robin", [str(number) for number in range(1, len(standings) + 1)])
    else:
        crossed = None
        table = _table("Swiss tournament" if scores.swiss else "Round robin", ("Won", "Drawn", "Lost"))
    breaks_of, points, tally = scores.tie_breaks(), scores.points(), scores.tally()
    for heading in ("Points", *(_BREAKS[name] for name in scores.tie_break_names), _RATING):
        table.add_column(heading, justify="right", no_wrap=True)
    for row, standing in enumerate(standings):
        player = standing.player
        table.add_row(
            *_who(standing),
            *(crossed[row] if crossed else map(str, tally[player])),
            shown(points[player]),
            *(
                f"{value / parts:.{parts // 2}f}"
                for value, parts in zip(breaks_of[player], scores.tie_break_names.values(), strict=True)
            ),
            str(scores.ratings[player]),
        )
    return table


def _table(title: str, headings: Sequence[str]) -> Table:
    table = Table(title=title, box=SIMPLE_HEAD, padding=0, show_edge=False)
    table.add_column("Place", justify="right", no_wrap=True)
    for heading in ("Avatar", "Bot"):
        table.add_column(heading, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _who(standing: Standing) -> tuple[str, Text, Text]:
    return str(standing.place), Text(standing.player.avatar), Text(standing.player.program)


def _cross(standings: Sequence[Standing], scores: PairingScores) -> list[list[str]]:
    """The results of everybody against everybody, in the order of the standings."""
    players = [standing.player for standing in standings]
    return [[_cell(scores.results[player], other, player is other) for other in players] for player in players]


def _cell(results: Sequence[Result], other: Player, self: bool) -> str:
    against = [result for result in results if result.opponent is other]
    if self:
        return "\N{MIDDLE DOT}"
    return "".join(shown(result.points) if result.played else "+" if result.points else "-" for result in against)


def _fits(crossed: Sequence[Sequence[str]]) -> bool:
    """Whether so many columns leave enough for both names beside place, points, Sonneborn-Berger and rating."""
    others = len("Place") + len("Points") + len("Berger") + len("25.0 \N{PLUS-MINUS SIGN}16.3")
    widths = [
        max(len(str(number)), *map(cell_len, cells)) for number, cells in enumerate(zip(*crossed, strict=True), 1)
    ]
    return others + sum(widths) + len(widths) + 6 + 2 * NAME_COLUMNS <= COLUMNS
