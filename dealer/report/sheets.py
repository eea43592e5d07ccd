"""The sheets of a report: ``standings.csv``, ``grades.csv`` and those of a game, with a row for each player."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dealer.cli.output import safe_cell
from dealer.faults import NO_MISTAKES, FaultKind
from dealer.ledger.columns import COLUMNS, Column
from dealer.ledger.standings import Standing
from dealer.lobby.failed_logins import AFTER_LOGIN
from dealer.lobby.player import Player
from dealer.report.contents import Contents, was_removed
from dealer.report.game_report import GameSheet
from dealer.report.labels import Label, told_to_host
from dealer.report.rubric import DEFAULT, CheckResult, Points, Rubric, most_points, points_of, points_of_absent

#: The kinds of fault that a program can have; removal by the host does not count.
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
    left = None if player.left is None else label.to_host(player.left, player.id)
    better = {"reply_p50": half, "reply_p99": most, "left": left}
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


@dataclass(frozen=True, slots=True)
class Grading:
    """The rubric by which points are given.

    Attributes:
        rubric: the points that can be had.
        checks: results of ``casino check`` by id; None where none were given.
    """

    rubric: Rubric = DEFAULT
    checks: Mapping[str, CheckResult] | None = None

    def check_of(self, id: str) -> float | None:
        """The share (0 to 1) of the points of a student's check, 0 without one; None where no checks were given."""
        if self.checks is None:
            return None
        return self.checks[id].share if id in self.checks else 0.0


#: What ``grades.csv`` tells of every student's points, after what it tells of the program.
_POINTS = ("check_percent", "points_played", "points_place", "points_faults", "points_check", "points", "points_of")


def grades_sheet(
    contents: Contents, roster: Mapping[str, str] | None, anonymous: bool, grading: Grading | None = None
) -> str:
    """The text of ``grades.csv``: a row for each id that is on the roster, played, or has a result of a check.

    A program has connected if it logged in, or if a failed login gave its id. Whether it closed its connection after
    ``done:`` is left empty where it was never told ``done:``. The column ``removed`` says why the host removed a
    player, which is no fault of its program.
    """
    grading = grading or Grading()
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
        "hands_survived",
        "place",
        "removed",
    ]
    header += ["hands_won", "broke_rules", "faults", "fell", "fell_in_hand", "fell_why", "reason"]
    played = {standing.player.id: standing for standing in contents.standings}
    order = dict.fromkeys([*(roster or {}), *(player.id for player in contents.labels), *sorted(grading.checks or {})])
    absent = [id for id in order if id not in played]
    rows = []
    for id in order:
        points = _points(played.get(id), id, contents, grading)
        if id in played:
            row = _grade(played[id], contents)
        else:
            number = len(contents.labels) + 1 + absent.index(id)
            refused = contents.refused.get(id, ())
            tried = [_yes(bool(refused)), _yes(not AFTER_LOGIN.isdisjoint(refused)), "no"]
            row = [*([number] if anonymous else [id, (roster or {}).get(id)]), None, *tried]
        rows.append(row + [None] * (len(header) - len(row)) + _point_cells(points, id, grading))
    if anonymous:
        rows.sort(key=lambda row: int(str(row[0])))
    return to_csv([*header, *_POINTS], rows)


def mistakes(player_faults: Mapping[FaultKind, int]) -> int:
    """The number of these faults that are mistakes of a program."""
    return sum(count for kind, count in player_faults.items() if kind not in NO_MISTAKES)


def _points(standing: Standing | None, id: str, contents: Contents, grading: Grading) -> Points:
    check = grading.check_of(id)
    if standing is None:
        return points_of_absent(grading.rubric, check)
    wrong = mistakes(contents.statistics[standing.player].faults_by_kind())
    return points_of(grading.rubric, standing.place, len(contents.standings), wrong, check)


def _point_cells(points: Points, id: str, grading: Grading) -> list[object]:
    checks = grading.checks or {}
    percent = round(100 * checks[id].share, 1) if id in checks else None
    most = most_points(grading.rubric, grading.checks is not None)
    numbers = (percent, points.played, points.place, points.faults, points.check, points.total, most)
    return [int(number) if number is not None and number == int(number) else number for number in numbers]


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
    wrong = mistakes(kinds)
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
        told_to_host(player.left, label.short) if player.left and was_removed(player) else None,
        player.hands_won,
        _yes(wrong > 0),
        wrong,
        *_fall(player, label),
    ]


def _fall(player: Player, label: Label) -> list[object]:
    """The cells of a departure before the end: yes or no, the hand of its table, the kind of reason, the reason."""
    if player.left is None:
        return ["no", None, None, None]
    kind = "broke" if player.left_for is None else player.left_for.kind.value
    return ["yes", player.left_in, kind, label.to_host(player.left, player.id)]
