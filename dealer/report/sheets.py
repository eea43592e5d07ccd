"""The sheets of a report: ``standings.csv``, ``grades.csv`` and those of a game, with a row for each player."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dealer.cli.output import safe_cell
from dealer.faults import NO_MISTAKES, FaultKind
from dealer.ledger.standings import Standing
from dealer.lobby.failed_logins import AFTER_LOGIN
from dealer.lobby.player import Player
from dealer.report.contents import Contents, was_removed
from dealer.report.game_report import Row
from dealer.report.labels import Label, told_to_host
from dealer.report.rubric import DEFAULT, CheckResult, Rubric, most_points, points_of

#: The kinds of fault that a program can have; removal by the host does not count.
FAULTS = tuple(kind for kind in FaultKind if kind is not FaultKind.REMOVED)


def to_csv(rows: Sequence[Row]) -> str:
    """The text of a CSV file, with the byte order mark by which spreadsheets know UTF-8.

    The columns are those of all rows, the longest row first: another may lack some.
    """
    text = io.StringIO()
    text.write("\ufeff")
    columns = dict.fromkeys(name for row in sorted(rows, key=len, reverse=True) for name in row)
    writer = csv.DictWriter(text, list(columns))
    writer.writeheader()
    for row in rows:
        writer.writerow({name: safe_cell(cell) if isinstance(cell, str) else cell for name, cell in row.items()})
    return text.getvalue()


def standings_sheet(contents: Contents) -> str:
    """The text of ``standings.csv``: a row for each player, the best place first."""
    return to_csv([_standing_row(standing, contents) for standing in contents.standings])


def _standing_row(standing: Standing, contents: Contents) -> Row:
    columns = [*contents.columns, *contents.ledger.format.columns()]
    cells = {column.sheet: column.number(column.value(standing)) for column in columns if column.sheet is not None}
    return {"place": standing.place, **_identity(contents.labels[standing.player]), **cells}


def _identity(label: Label) -> Row:
    known = {"number": label.number} if label.id is None else {"id": label.id, "name": label.name}
    return {**known, "avatar": label.avatar}


def game_sheet(rows: Mapping[Player, Row], contents: Contents) -> str:
    """The text of a sheet of one game."""
    return to_csv([{**_identity(contents.labels[player]), **cells} for player, cells in rows.items()])


@dataclass(frozen=True, slots=True)
class Grading:
    """The rubric by which points are given.

    Attributes:
        rubric: the points that can be had.
        checks: results of ``casino check`` by id; None where none were given.
    """

    rubric: Rubric = DEFAULT
    checks: Mapping[str, CheckResult] | None = None


def grades_sheet(
    contents: Contents, roster: Mapping[str, str] | None, anonymous: bool, grading: Grading | None = None
) -> str:
    """The text of ``grades.csv``: a row for each id that is on the roster, played, or has a result of a check.

    A program has connected if it logged in, or if a failed login gave its id. Whether it closed its connection after
    ``done:`` is left empty where it was never told ``done:``. The column ``removed`` says why the host removed a
    player, which is no fault of its program.
    """
    grading = grading or Grading()
    played = {standing.player.id: standing for standing in contents.standings}
    order = dict.fromkeys([*(roster or {}), *(player.id for player in contents.labels), *sorted(grading.checks or {})])
    rows: list[dict[str, Any]] = []
    absent = len(contents.labels)
    for id in order:
        standing = played.get(id)
        wrong = 0 if standing is None else mistakes(contents.statistics[standing.player].faults_by_kind())
        place = None if standing is None else standing.place
        points = _point_cells(id, place, len(contents.standings), wrong, grading)
        if standing is not None:
            rows.append({**_grade(standing, contents), **points})
            continue
        absent += 1
        known = {"number": absent} if anonymous else {"id": id, "name": (roster or {}).get(id)}
        refused = contents.survey.refused.get(id, ())
        tried = {"connected": _yes(bool(refused)), "logged_in": _yes(not AFTER_LOGIN.isdisjoint(refused))}
        rows.append({**known, **tried, "seated": "no", **points})
    if anonymous:
        rows.sort(key=lambda row: int(row["number"]))
    return to_csv(rows)


def mistakes(player_faults: Mapping[FaultKind, int]) -> int:
    """The number of these faults that are mistakes of a program."""
    return sum(count for kind, count in player_faults.items() if kind not in NO_MISTAKES)


def _point_cells(id: str, place: int | None, players: int, wrong: int, grading: Grading) -> Row:
    """A student's points, which follow what is told of its program."""
    check = None if grading.checks is None else grading.checks.get(id)
    share = None if grading.checks is None else check.share if check is not None else 0.0
    points = points_of(grading.rubric, place, players, wrong, share)
    numbers = {
        "check_percent": None if check is None else round(100 * check.share, 1),
        "points_played": points.played,
        "points_place": points.place,
        "points_faults": points.faults,
        "points_check": points.check,
        "points": points.total,
        "points_of": most_points(grading.rubric, grading.checks is not None),
    }
    return {
        name: int(number) if number is not None and number == int(number) else number
        for name, number in numbers.items()
    }


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"


def _grade(standing: Standing, contents: Contents) -> Row:
    """What is told of a program that had a seat."""
    player = standing.player
    label, statistics = contents.labels[player], contents.statistics[player]
    kinds, share, closed = statistics.faults_by_kind(), statistics.legal_share, contents.rebuild.closed.get(player)
    half, most, longest = contents.reply_times[player]
    wrong, fault = mistakes(kinds), player.left_for
    left = player.left is not None
    return {
        **_identity(label),
        "connected": "yes",
        "logged_in": "yes",
        "seated": "yes",
        "closed_after_done": None if closed is None else _yes(closed),
        "decisions": player.decisions,
        "legal_share": None if share is None else round(share, 6),
        **{kind.value: kinds[kind] for kind in FAULTS},
        "reply_p50_ms": half,
        "reply_p99_ms": most,
        "reply_max_ms": longest,
        "hands_survived": player.hands_survived,
        "place": standing.place,
        "removed": told_to_host(player.left, label.short) if player.left and was_removed(player) else None,
        "hands_won": player.hands_won,
        "broke_rules": _yes(wrong > 0),
        "faults": wrong,
        # its departure before the end: the hand of its table, the kind of reason, and the reason
        "fell": _yes(left),
        "fell_in_hand": player.left_in if left else None,
        "fell_why": ("broke" if fault is None else fault.kind.value) if left else None,
        "reason": label.to_host(player.left, player.id) if player.left is not None else None,
    }
