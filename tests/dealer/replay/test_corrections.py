"""What a replay tells of a program of the ACPC whose actions were corrected."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
import trio

from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import RebuildError
from dealer.replay.journal_reader import Choice
from dealer.replay.show import replay_journal
from tests.dealer.support.acpc_players import play_acpc
from tests.dealer.support.recorded import read_records, run_at_once, write_records


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two programs, of which the second folds with nothing owed."""
    path = tmp_path / "a.journal"
    run_at_once(partial(play_acpc, path))
    return path


async def lines(journal: Path, capsys: pytest.CaptureFixture[str], seat: str | None, as_json: bool) -> list[str]:
    assert replay_journal(journal, Choice(seat=seat), as_json, False) == 0
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


def test_each_correction_is_named_at_its_action(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = [item for item in map(json.loads, shown(journal, capsys, as_json=True).splitlines()) if "events" in item]
    asked = [
        (hand["hand"], event["asked"])
        for hand in hands
        for event in hand["events"]
        if event["event"] == "action" and event["asked"]
    ]
    told = [(record["hand"], record["reason"]) for record in read_records(journal) if record["type"] == "corrected"]
    assert len(asked) == len(told)
    for (hand, words), (number, reason) in zip(asked, told, strict=True):
        assert hand == number
        if words == "fold":
            assert reason == "it folded although nothing was owed"
        else:
            least = re.search(r"a raise could be to (\d+) at least", reason)
            assert words == (f"raise to 1, counted as {least[1]}" if least else "raise to 1")
    assert {words.split(" ")[0] for _, words in asked} == {"fold", "raise"}


def test_an_action_that_was_corrected_in_words(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every viewer sees what was asked for: it is an action, and no text of a program."""
    for seat in (None, "acpc-1", "acpc-2"):
        text = shown(journal, capsys, seat)
        assert "checks (asked to fold)" in text
        assert re.search(r"raises \d+, puts in \d+ \(asked to raise to 1, counted as \d+\)", text)


def altered(journal: Path, corrections: object, *, told: bool = True) -> str:
    """What the audit says of a hand with other corrections; without the records that tell of them if not ``told``."""
    records = [record for record in read_records(journal) if told or record["type"] != "corrected"]
    first = next(record for record in records if "corrections" in record)
    first["corrections"] = corrections or first["corrections"]
    path = journal.parent / "altered"
    path.unlink(missing_ok=True)
    write_records(path, records)
    with pytest.raises(RebuildError) as error:
        list(LedgerRebuild(path).hands())
    return str(error.value)


def test_corrections_that_fit_no_action_are_named(journal: Path) -> None:
    assert "corrections: action 99 is no check, call or raise of a program" in altered(journal, [[99, "fold"]])
    assert "corrections[0][1]: expected text, got 5" in altered(journal, [[0, 5]])
    assert "corrections: no record tells that seat" in altered(journal, None, told=False)


def test_another_seat_is_not_told_the_reason(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, other = (shown(journal, capsys, seat) for seat in ("acpc-2", "acpc-1"))
    assert "it folded although nothing was owed" in own
    assert "was corrected" in other
    assert "it folded although nothing was owed" not in other
