"""What a replay tells of a program of the ACPC whose actions were corrected."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
import trio

from dealer.replay.journal_reader import Choice
from dealer.replay.show import replay_journal
from tests.dealer.support.acpc_players import play_acpc
from tests.dealer.support.recorded import read_records, run_at_once


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two programs, of which the second folds with nothing owed."""
    path = tmp_path / "a.journal"
    run_at_once(partial(play_acpc, path))
    return path


async def lines(journal: Path, capsys: pytest.CaptureFixture[str], seat: str | None, as_json: bool) -> list[str]:
    assert await replay_journal(journal, Choice(seat=seat), 0, as_json, False) == 0
    return capsys.readouterr().out.splitlines()


def shown(journal: Path, capsys: pytest.CaptureFixture[str], seat: str | None = None, as_json: bool = False) -> str:
    return "\n".join(trio.run(lines, journal, capsys, seat, as_json))


def test_each_correction_stands_behind_its_hand(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = [json.loads(line) for line in shown(journal, capsys, as_json=True).splitlines()]
    corrections = [note for note in told if note["type"] == "corrected"]
    recorded = [record for record in read_records(journal) if record["type"] == "corrected"]
    assert [(note["hand"], note["reason"]) for note in corrections] == [
        (record["hand"], record["reason"]) for record in recorded
    ]
    assert {note["id"] for note in corrections} == {"acpc-2"}
    for note in corrections:
        before = [item for item in told[: told.index(note)] if item["type"] == "hand"]
        assert before[-1]["hand"] == note["hand"]


def test_a_correction_in_words(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(journal, capsys)
    assert re.search(r"An action of acpc-2 in hand \d+ was corrected: the rules forbid what it wanted\.", text)
    assert "it folded although nothing was owed" in text


def test_another_seat_is_not_told_the_reason(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, other = (shown(journal, capsys, seat) for seat in ("acpc-2", "acpc-1"))
    assert "it folded although nothing was owed" in own
    assert "was corrected" in other
    assert "it folded although nothing was owed" not in other
