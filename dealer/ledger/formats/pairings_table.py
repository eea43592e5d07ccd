"""Standings of round robins and Swiss tournaments, as a terminal of 80 columns shows them."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.table import Table

from dealer.ledger.columns import AVATAR, BOT, PLACE, Column, table
from dealer.ledger.formats.pairing_scores import PairingScores
from dealer.ledger.formats.points import shown
from dealer.ledger.formats.tie_breaks import Result
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player

#: Characters in a line of the terminal.
LINE = 80

#: Characters that each of two names needs, or it takes too many lines.
NAME = 8

_BREAKS = {"buchholz_cut_1": "Buchh.\ncut 1", "buchholz": "Buch-\nholz", "sonneborn_berger": "Sonn.-\nBerger"}


def pairings_table(standings: Sequence[Standing], scores: PairingScores) -> Table:
    """Places and scores of a round robin, with the result of each pairing if that fits, or of a Swiss tournament.

    In a column of results the number is the opponent's place in the table from the top: 1, ½ or 0 points, ``+`` and
    ``-`` for a pairing that was not played.
    """
    results = [] if scores.swiss else _cross_columns(standings, scores)
    if not results or not _fits(standings, results):
        results = _tally_columns(scores)
    points = scores.points()
    columns = (
        PLACE,
        AVATAR,
        BOT,
        *results,
        Column("points", lambda one: points[one.player], "Points", text=shown),
        *_break_columns(scores),
    )
    return table("Swiss tournament" if scores.swiss else "Round robin", standings, columns)


def _tally_columns(scores: PairingScores) -> list[Column]:
    """Pairings won, drawn and lost, and byes if there were any, each of which is worth as much as a win."""
    tally, byes = scores.tally(), scores.byes()

    def column(index: int, heading: str) -> Column:
        return Column(heading.lower(), lambda one: tally[one.player][index], heading)

    columns = [column(index, heading) for index, heading in enumerate(("Won", "Drawn", "Lost"))]
    return [*columns, Column("byes", lambda one: byes[one.player], "Byes")] if any(byes.values()) else columns


def _break_columns(scores: PairingScores) -> list[Column]:
    """The columns of tie-breaks, in points."""
    breaks = scores.tie_breaks()

    def column(index: int, key: str, parts: int) -> Column:
        return Column(key, lambda one: f"{breaks[one.player][index] / parts:.{parts // 2}f}", _BREAKS[key])

    return [column(index, key, parts) for index, (key, parts) in enumerate(scores.tie_break_names.items())]


def _cross_columns(standings: Sequence[Standing], scores: PairingScores) -> list[Column]:
    """The results against each player, in the order of the standings."""

    def column(number: int, other: Player) -> Column:
        return Column(
            str(number), lambda one: _cell(scores.results[one.player], other, one.player is other), str(number)
        )

    return [column(number, standing.player) for number, standing in enumerate(standings, 1)]


def _cell(results: Sequence[Result], other: Player, self: bool) -> str:
    against = [result for result in results if result.opponent is other]
    if self:
        return "\N{MIDDLE DOT}"
    return "".join(shown(result.points) if result.played else "+" if result.points else "-" for result in against)


def _fits(standings: Sequence[Standing], results: Sequence[Column]) -> bool:
    """True if so many columns leave enough for both names beside place, points and Sonneborn-Berger."""
    others = len("Place") + len("Points") + len("Berger")
    widths = [
        max(len(column.key), *(cell_len(column.shown(standing, str)) for standing in standings)) for column in results
    ]
    return others + sum(widths) + len(widths) + 5 + 2 * NAME <= LINE
