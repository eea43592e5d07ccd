"""The sheets of a report: ``standings.csv``, ``grades.csv`` and those of a game, with a row for each player."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from dealer.cli.output import safe_cell
from dealer.faults import FaultKind
from dealer.ledger.columns import COLUMNS, Column
from dealer.ledger.standings import Standing
from dealer.lobby.failed_logins import AFTER_LOGIN
from dealer.report.contents import Contents, was_removed
from dealer.report.game_report import GameSheet
from dealer.report.labels import Label

#: The kinds of fault that a program can have; to be removed by the host is none.
FAULTS = tuple(kind for kind in FaultKind if kind is not FaultKind.REMOVED)


def to_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The text of a CSV file, with the byte order mark by which spreadsheets know UTF-8; None is an empty cell."""
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(header)
    for row in rows:
        writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def standings_sheet(contents: Contents, anonymous: bool) -> str:
    """The text of ``standings.csv``: a row for each player, the best place first."""
    columns = [*COLUMNS, *contents.rebuild.ledger.format.columns()]
    columns = [column for column in columns if column.sheet is not None]
    identity = ["number"] if anonymous else ["id", "name"]
    rows = [_standing_row(standing, contents, columns) for standing in contents.standings]
    return to_csv(["place", *identity, "avatar", *(column.sheet or "" for column in columns)], rows)


def _standing_row(standing: Standing, contents: Contents, columns: Sequence[Column]) -> list[object]:
    player, label = standing.player, contents.labels[standing.player]
    half, most = contents.statistics[player].milliseconds(0.5, 0.99)
    # The journal has every reply time, and a column only the counts by which a dealer remembers them.
    better = {"reply_p50": half, "reply_p99": most, "left": player.left and label.hidden(player.left, player.id)}
    cells = [
        better[column.key] if column.key in better else column.number(column.value(standing)) for column in columns
    ]
    return [standing.place, *_identity(label), label.avatar, *cells]


def _identity(label: Label) -> list[object]:
    return [label.number] if label.id is None else [label.id, label.name]


def game_sheet(sheet: GameSheet, contents: Contents, anonymous: bool) -> str:
    """The text of a sheet of one game."""
    identity = ["number"] if anonymous else ["id", "name"]
    rows = [(contents.labels[player], cells) for player, cells in sheet.rows]
    return to_csv(
        [*identity, "avatar", *sheet.header], [[*_identity(label), label.avatar, *own] for label, own in rows]
    )


def grades_sheet(contents: Contents, roster: Mapping[str, str] | None, anonymous: bool) -> str:
    """The text of ``grades.csv``: a row for each player on the roster, and for each who played without being on it.

    A program has connected if it logged in, or if a failed login gave its id. Whether it closed its connection after
    ``done:`` is left empty where it was never told ``done:``. The last column says why the host removed a player, which
    is no fault of its program.
    """
    identity = ["number"] if anonymous else ["id", "name"]
    times = ["reply_p50_ms", "reply_p99_ms", "reply_max_ms"]
    kinds = [kind.value for kind in FAULTS]
    header = [
        *identity,
        "avatar",
        "connected",
        "logged_in",
        "seated",
        "closed_after_done",
        "decisions",
        "legal_share",
        *kinds,
        *times,
    ]
    header += ["hands_survived", "place", "removed"]
    played = {standing.player.id: standing for standing in contents.standings}
    order = dict.fromkeys([*(roster or {}), *(player.id for player in contents.labels)])
    absent = [id for id in order if id not in played]
    rows = []
    for id in order:
        if id in played:
            rows.append(_grade(played[id], contents))
        else:
            number = len(contents.labels) + 1 + absent.index(id)
            refused = contents.refused.get(id, ())
            tried = [_yes(bool(refused)), _yes(not AFTER_LOGIN.isdisjoint(refused)), "no"]
            rows.append([*([number] if anonymous else [id, (roster or {})[id]]), None, *tried])
    if anonymous:
        rows.sort(key=lambda row: int(str(row[0])))
    return to_csv(header, [row + [None] * (len(header) - len(row)) for row in rows])


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _grade(standing: Standing, contents: Contents) -> list[object]:
    player = standing.player
    label, statistics, closed = (
        contents.labels[player],
        contents.statistics[player],
        contents.rebuild.closed.get(player),
    )
    kinds, share = statistics.faults_by_kind(), statistics.legal_share
    return [
        *_identity(label),
        label.avatar,
        "yes",
        "yes",
        "yes",
        None if closed is None else _yes(closed),
        player.decisions,
        None if share is None else round(share, 6),
        *(kinds[kind] for kind in FAULTS),
        *statistics.milliseconds(0.5, 0.99, 1.0),
        player.hands_survived,
        standing.place,
        player.left if was_removed(player) else None,
    ]
