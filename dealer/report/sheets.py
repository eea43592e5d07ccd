"""The sheets of a report: ``standings.csv`` and ``grades.csv``, with a row for each player."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dealer.cli.output import safe_cell
from dealer.faults import FaultKind
from dealer.ledger.formats.freezeout import Freezeout
from dealer.ledger.formats.pairings import Pairings
from dealer.ledger.ledger import Ledger
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from dealer.report.contents import Contents, was_removed
from dealer.report.labels import Label
from dealer.report.player_statistics import PlayerStatistics

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


def score_facts(ledger: Ledger, player: Player) -> dict[str, Any]:
    """What places go by, in formats where the chips at the end do not decide alone; intervals are of 95 %."""
    if ledger.duplicate:
        result = ledger.duplicate.by_player[player].result
        low, high = result.interval or (None, None)
        return {
            "deals": result.deals,
            "chips_per_deal": result.chips_per_deal,
            "interval_from": low,
            "interval_to": high,
            "variance_removed": result.variance_removed,
        }
    format_ = ledger.format
    if isinstance(format_, Pairings):
        return _points(format_.scores.facts()[player])
    if isinstance(format_, Freezeout) and format_.series:
        return _points(format_.series.facts()[player])
    if ledger.scores:
        score = ledger.scores.by_player[player]
        facts = score.as_dict()
        low, high = score.interval or (None, None)
        wanted = ("games", "won", "drawn", "lost", "average_chips", "chips_per_hand")
        return {**{key: facts[key] for key in wanted}, "interval_from": low, "interval_to": high}
    return {}


def _points(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Points and a rating, out of the facts of a format."""
    rating = facts["rating"]
    low, high = rating["interval"]
    return {"points": facts["points"], "rating": rating["mu"], "rating_from": low, "rating_to": high}


def standings_sheet(contents: Contents, anonymous: bool) -> str:
    """The text of ``standings.csv``: a row for each player, the best place first."""
    ledger, standings = contents.rebuild.ledger, contents.standings
    scores = list(score_facts(ledger, standings[0].player))
    identity = ["number"] if anonymous else ["id", "name"]
    numbers = ["chips", "hands_won", "hands_survived", "decisions", "faults", "reply_p50_ms", "reply_p99_ms", "left"]
    rows = [
        _standing_row(standing, ledger, contents.labels[standing.player], contents.statistics[standing.player])
        for standing in standings
    ]
    return to_csv(["place", *identity, "avatar", *numbers, *scores], rows)


def _standing_row(standing: Standing, ledger: Ledger, label: Label, statistics: PlayerStatistics) -> list[object]:
    player = standing.player
    return [
        standing.place,
        *_identity(label),
        label.avatar,
        standing.chips,
        player.hands_won,
        player.hands_survived,
        player.decisions,
        len(player.faults),
        *statistics.milliseconds(0.5, 0.99),
        player.left and label.hidden(player.left, player.id),
        *score_facts(ledger, player).values(),
    ]


def _identity(label: Label) -> list[object]:
    return [label.number] if label.id is None else [label.id, label.name]


def grades_sheet(contents: Contents, roster: Mapping[str, str] | None, anonymous: bool) -> str:
    """The text of ``grades.csv``: a row for each player on the roster, and for each who played without being on it.

    A journal holds the players who logged in. It cannot tell whether a program of another one ever connected: that
    cell is empty. Nor can it tell whether a program closed its connection after ``done:``, so there is no such column.
    The last column says why the host removed a player, which is no fault of its program.
    """
    identity = ["number"] if anonymous else ["id", "name"]
    times = ["reply_p50_ms", "reply_p99_ms", "reply_max_ms"]
    kinds = [kind.value for kind in FAULTS]
    header = [*identity, "avatar", "connected", "logged_in", "decisions", "legal_share", *kinds, *times]
    header += ["hands_survived", "place", "removed"]
    played = {standing.player.id: standing for standing in contents.standings}
    order = dict.fromkeys([*(roster or {}), *(player.id for player in contents.labels)])
    absent = [id for id in order if id not in played]
    rows = []
    for id in order:
        if id in played:
            player = played[id].player
            rows.append(_grade(played[id], contents.labels[player], contents.statistics[player]))
        else:
            number = len(contents.labels) + 1 + absent.index(id)
            rows.append([*([number] if anonymous else [id, (roster or {})[id]]), None, None, "no"])
    if anonymous:
        rows.sort(key=lambda row: int(str(row[0])))
    return to_csv(header, [row + [None] * (len(header) - len(row)) for row in rows])


def _grade(standing: Standing, label: Label, statistics: PlayerStatistics) -> list[object]:
    player, kinds, share = standing.player, statistics.faults_by_kind(), statistics.legal_share
    return [
        *_identity(label),
        label.avatar,
        "yes",
        "yes",
        player.decisions,
        None if share is None else round(share, 6),
        *(kinds[kind] for kind in FAULTS),
        *statistics.milliseconds(0.5, 0.99, 1.0),
        player.hands_survived,
        standing.place,
        player.left if was_removed(player) else None,
    ]
