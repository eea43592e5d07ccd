"""``standings.csv`` and ``grades.csv``."""

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
from dealer.report.names import Label
from dealer.report.places import everybody, was_removed
from dealer.report.player_tally import Figures

FAULTS = tuple(kind for kind in FaultKind if kind is not FaultKind.REMOVED)
"""What a program can do wrong."""


def to_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The whole file, with the mark by which spreadsheets know UTF-8; None is an empty cell."""
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(header)
    for row in rows:
        writer.writerow([safe_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def score_facts(ledger: Ledger, player: Player) -> dict[str, Any]:
    """What places go by where chips at the end are not all; empty elsewhere. Intervals are of 95 %."""
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
    """Points and a rating, whatever else the format tells."""
    rating = facts["rating"]
    low, high = rating["interval"]
    return {"points": facts["points"], "rating": rating["mu"], "rating_from": low, "rating_to": high}


def standings_sheet(
    ledger: Ledger, labels: Mapping[Player, Label], figures: Mapping[Player, Figures], anonymous: bool
) -> str:
    """A row for each player, the best place first."""
    standings = everybody(ledger)
    scores = list(score_facts(ledger, standings[0].player))
    who = ["number"] if anonymous else ["id", "name"]
    numbers = ["chips", "hands_won", "hands_survived", "decisions", "faults", "reply_p50_ms", "reply_p99_ms", "left"]
    rows = [
        _standing_row(standing, ledger, labels[standing.player], figures[standing.player]) for standing in standings
    ]
    return to_csv(["place", *who, "avatar", *numbers, *scores], rows)


def _standing_row(standing: Standing, ledger: Ledger, label: Label, figures: Figures) -> list[object]:
    player = standing.player
    return [
        standing.place,
        *_who(label),
        label.avatar,
        standing.chips,
        player.hands_won,
        player.hands_survived,
        player.decisions,
        len(player.faults),
        *figures.milliseconds(0.5, 0.99),
        player.left and label.hidden(player.left, player.id),
        *score_facts(ledger, player).values(),
    ]


def _who(label: Label) -> list[object]:
    return [label.number] if label.id is None else [label.id, label.name]


def grades_sheet(
    standings: Sequence[Standing],
    labels: Mapping[Player, Label],
    figures: Mapping[Player, Figures],
    roster: Mapping[str, str] | None,
    anonymous: bool,
) -> str:
    """A row for everybody on the roster, and for whoever played without being on it.

    A journal knows those who logged in. Whether a program of the others ever connected it cannot tell: that cell is
    empty. Nor does it tell whether a program closed its connection after ``done:``, so there is no such column. The
    last one says why the host removed a player, which is no fault of its program.
    """
    who = ["number"] if anonymous else ["id", "name"]
    times = ["reply_p50_ms", "reply_p99_ms", "reply_max_ms"]
    kinds = [kind.value for kind in FAULTS]
    header = [*who, "avatar", "connected", "logged_in", "decisions", "legal_share", *kinds, *times]
    header += ["hands_survived", "place", "removed"]
    played = {standing.player.id: standing for standing in standings}
    order = dict.fromkeys([*(roster or {}), *(player.id for player in labels)])
    absent = [id for id in order if id not in played]
    rows = []
    for id in order:
        if id in played:
            player = played[id].player
            rows.append(_grade(played[id], labels[player], figures[player]))
        else:
            number = len(labels) + 1 + absent.index(id)
            rows.append([*([number] if anonymous else [id, (roster or {})[id]]), None, None, "no"])
    if anonymous:
        rows.sort(key=lambda row: int(str(row[0])))
    return to_csv(header, [row + [None] * (len(header) - len(row)) for row in rows])


def _grade(standing: Standing, label: Label, figures: Figures) -> list[object]:
    player, kinds, share = standing.player, figures.faults_by_kind(), figures.legal_share
    return [
        *_who(label),
        label.avatar,
        "yes",
        "yes",
        player.decisions,
        None if share is None else round(share, 6),
        *(kinds[kind] for kind in FAULTS),
        *figures.milliseconds(0.5, 0.99, 1.0),
        player.hands_survived,
        standing.place,
        player.left if was_removed(player) else None,
    ]
