"""The tables of the report's page as values: standings, head to head, and faults with departures.

The templates turn them into HTML.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dealer.faults import FaultKind, meaning
from dealer.ledger.columns import Column, signed
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from dealer.report.charts import BARS
from dealer.report.contents import Contents, at_table, departure_text, went_broke
from dealer.report.game_report import Cell, PlayersTable
from dealer.report.head_to_head import ENOUGH_UNITS, Exchange
from dealer.report.labels import Label
from dealer.report.player_statistics import FaultFact
from protocol.plurals import counted

#: Faults of one player that the page lists; a player with many lives may have thousands.
MOST_FAULTS = 5


def standings_table(contents: Contents) -> PlayersTable:
    """The standings, the best player first."""
    format_ = contents.ledger.format
    chips, *others = [column for column in contents.columns if column.title is not None]
    columns = [replace(chips, title=format_.chips_title), *format_.columns(), *others]
    shown = {column.title: column for column in columns if column.title is not None}
    rows = [
        (standing.player, [_figure(column, standing) for column in shown.values()]) for standing in contents.standings
    ]
    return PlayersTable("Standings", "", list(shown), rows)


def _figure(column: Column, standing: Standing) -> Cell:
    text = column.shown(standing, column.page)
    return Cell(text if text == "-" else text.replace("-", "\N{MINUS SIGN}"), column.margin(standing))


@dataclass(frozen=True, slots=True)
class Matrix:
    """The chips that each of some players won from each other one.

    Attributes:
        heading: the table they played at; empty where all are in one matrix.
        note: which players are shown, where not all are.
        names: of the columns.
        rows: the name of a player, and a cell for each column.
    """

    heading: str
    note: str
    names: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]


def head_to_head_note(contents: Contents) -> str:
    """How to read the matrices."""
    settings = contents.ledger.settings
    unit = "deals" if settings.duplicate else "games" if settings.game.in_games else "hands"
    return (
        "Chips that the player of the row won from the player of the column, per hand dealt to both. Each player's "
        "contribution to a pot is shared among its winners in proportion to their shares of it. Below it is half of "
        f"the 95 % interval, from {unit} that count as independent. A cell has a colour where {ENOUGH_UNITS} {unit} "
        "or more leave little doubt about the sign; by luck alone one in twenty would."
    )


def head_to_head(contents: Contents) -> list[Matrix]:
    """One matrix of all players, or of the best, where players meet each other; else one for each table."""
    ledger = contents.ledger
    one_table = len(ledger.seating.tables) == 1
    if one_table or ledger.seating.sends_players or ledger.seating.rounds > 1:
        shown = contents.order if one_table else contents.order[:BARS]
        many = len(contents.labels)
        return [matrix(contents, shown, note="" if len(shown) == many else f"The best {len(shown)} of {many}.")]
    return [matrix(contents, table.players, heading=f"Table {table.number}") for table in ledger.seating.tables]


def matrix(
    contents: Contents, players: Sequence[Player], heading: str = "", note: str = "", *, brief: bool = False
) -> Matrix:
    """The chips that each of some players won from each other one.

    Args:
        contents: of the report.
        players: who are shown.
        heading: of the matrix.
        note: of the matrix.
        brief: whether it is a picture, with names as in charts, the best first, and neither intervals nor doubts.
    """
    pairs, order, names = contents.pairs, players, {player: contents.styles[player].name for player in players}
    if not brief:
        names = {player: contents.labels[player].short for player in players}
        order = sorted(players, key=lambda player: contents.labels[player].number)

    def cell(player: Player, other: Player) -> Cell:
        won = None if player is other else pairs.won(player, other)
        if won is None:
            return Cell("\u00b7" if player is other or brief else "-", tone="self")
        return _brief_cell(won) if brief else _won_cell(won)

    rows = [(names[one], [cell(one, other) for other in order]) for one in order]
    return Matrix(heading, note, [names[one] for one in order], rows)


def _won_cell(won: Exchange) -> Cell:
    tone = ("gain" if won.per_hand > 0 else "loss") if won.clear else "open"
    half = "" if won.half_width is None else f"{won.half_width:.2f}"
    return Cell(signed(won.per_hand).replace("-", "\N{MINUS SIGN}"), half, tone, counted(won.hands, "hand"))


def _brief_cell(won: Exchange) -> Cell:
    text = f"{won.per_hand:+z.1f}".replace("-", "\N{MINUS SIGN}")
    return Cell("0.0", tone="open") if text == "+0.0" else Cell(text, tone="gain" if won.per_hand > 0 else "loss")


@dataclass(frozen=True, slots=True)
class PlayerFaults:
    """The faults of one player, and how it left.

    Attributes:
        label: of the player.
        left: when, where and why it left; empty if it did not.
        faults: the first ``MOST_FAULTS``, each with words for where it happened, and its reason.
        more: the number of the others.
        meanings: what each kind of fault means.
    """

    label: Label
    left: str
    faults: Sequence[tuple[FaultFact, str, str]]
    more: int
    meanings: Sequence[str]


def faults_and_departures(contents: Contents) -> list[PlayerFaults]:
    """Players with faults or who had to leave, the best first; without those who only ran out of chips."""
    others = [player for player in contents.order if not _only_broke(player, contents)]
    return [one for one in (_player_faults(player, contents) for player in others) if one.faults or one.left]


def only_broke(contents: Contents) -> list[tuple[Label, str]]:
    """Players who only ran out of chips, the best first."""
    broke = [player for player in contents.order if _only_broke(player, contents)]
    return [(contents.labels[player], _left(player, contents)) for player in broke]


def _only_broke(player: Player, contents: Contents) -> bool:
    return went_broke(player) and not contents.statistics[player].mistakes


def _left(player: Player, contents: Contents) -> str:
    reason = contents.labels[player].to_host(player.left or "", player.id)
    return f"{departure_text(contents.ledger, player)}: {reason}"


def _player_faults(player: Player, contents: Contents) -> PlayerFaults:
    statistics, label = contents.statistics[player], contents.labels[player]
    kinds, faults = statistics.faults_by_kind(), []
    for fact in statistics.mistakes[:MOST_FAULTS]:
        at = fact.at
        where = f"hand {at.hand}{at_table(contents.ledger, at.table)}" if at else "in a hand that does not count"
        faults.append((fact, where, label.to_host(fact.fault.reason, player.id)))
    return PlayerFaults(
        label,
        "" if player.left is None else _left(player, contents),
        faults,
        max(0, len(statistics.mistakes) - MOST_FAULTS),
        [meaning(kind, acpc=player.acpc).replace("`", "") for kind in FaultKind if kind in kinds],
    )
