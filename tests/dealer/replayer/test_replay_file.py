"""The file itself: what it holds and fetches, what it replaces, and journals that are not whole."""

import re
from pathlib import Path

import pytest

from dealer.cli.flags import ReplayFileFlags
from dealer.errors import OptionError
from dealer.replay.journal_reader import Choice
from dealer.replayer import recording
from dealer.replayer.command import check_file_flags, write_replay
from dealer.replayer.document import bundle, document
from tests.dealer.support.golden_replays import write_hosted, write_stud
from tests.dealer.support.replay_files import data_of, frames_in, write_random


def test_file_names_nothing_outside_itself_and_its_policy_allows_nothing() -> None:
    text = document("A <title>", "data")
    assert "<title>A &lt;title&gt;</title>" in text
    assert not re.findall(r'(?:src|href)="(?!#)|url\(|@import|https?://(?!www\.w3\.org/)', text)
    assert re.search(r"default-src 'none'; [^\"]*script-src 'sha256-[^ ]+' 'sha256-[^ ]+'\"", text)
    assert "<!-- " not in text.removeprefix("<!doctype html><!-- casino replay -->")


def test_script_has_every_module_once_and_after_those_it_needs() -> None:
    script = bundle("replayer.js")
    made = re.findall(r'^modules\["([\w.]+)"\] = ', script, re.MULTILINE)
    assert len(made) == len(set(made))
    assert made[-1] == "replayer.js"
    known: set[str] = set()
    for part in re.split(r'^modules\["', script, flags=re.MULTILINE)[1:]:
        assert set(re.findall(r'= modules\["([\w.]+)"\];', part)) <= known
        known.add(part.partition('"')[0])


def test_earlier_replay_is_replaced_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    journal = write_stud(tmp_path / "friday.journal")
    assert write_replay(journal, Choice(), None) == 0
    assert write_replay(journal, Choice(hand=2), None) == 0
    assert [hand["hand"] for hand in data_of(tmp_path / "friday.html")["hands"]] == [2]
    (tmp_path / "thesis.html").write_text("<p>years of work")
    assert write_replay(journal, Choice(), Path("thesis.html")) == 2
    assert "thesis.html is there, and is no replay in HTML; name another file with --out" in capsys.readouterr().err
    assert write_replay(journal, Choice(), tmp_path) == 2
    assert write_replay(journal, Choice(), Path("no/such/folder.html")) == 1
    assert write_replay(journal, Choice(seat="Zoe"), None) == 2
    assert write_replay(journal, Choice(hand=99), None) == 2
    assert write_replay(tmp_path / "none.journal", Choice(), None) == 2


def test_torn_journal_is_replayed_as_far_as_it_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = write_random(tmp_path / "a.journal", "stud")
    whole = journal.read_bytes()
    journal.write_bytes(whole[: len(whole) * 2 // 3])
    assert write_replay(journal, Choice(), tmp_path / "a.html") == 1
    assert 0 < len(data_of(tmp_path / "a.html")["hands"]) < 12
    assert "torn" in capsys.readouterr().err


def test_hands_that_are_too_many_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_HANDS", 3)
    write_replay(write_random(tmp_path / "a.journal", "holdem"), Choice(), tmp_path / "a.html")
    data = data_of(tmp_path / "a.html")
    assert (len(data["hands"]), data["leftOut"]) == (3, 9)
    assert {moment[1] for moment in data["moments"]} <= {0, 1, 2}


def test_what_happened_between_hands_is_told(tmp_path: Path) -> None:
    write_replay(write_hosted(tmp_path / "a.journal"), Choice(), tmp_path / "a.html")
    notes = data_of(tmp_path / "a.html")["notes"]
    told = [line for at in sorted(notes, key=int) for line in notes[at]]
    assert told[0].startswith("The host lets a hand take at least 1.5 s")
    assert "Denise is out (removed): plays for another student" in told
    assert "Level 2: ante 4 from now on." in told
    assert any(line.startswith("Round 2 begins") for line in told)


def test_moments_lead_to_hands(tmp_path: Path) -> None:
    write_replay(write_stud(tmp_path / "a.journal"), Choice(), tmp_path / "a.html")
    data = data_of(tmp_path / "a.html")
    pots = [moment for moment in data["moments"] if moment[0] == "pot"]
    assert [amount for *_, amount, _ in pots] == sorted((amount for *_, amount, _ in pots), reverse=True)
    ends = [frames_in(hand)[-1]["pot"] for hand in data["hands"]]
    assert pots[0][4] == max(ends)
    assert ends[pots[0][1]] == max(ends)
    out = next(moment for moment in data["moments"] if moment[0] == "out")
    assert data["hands"][out[1]]["hand"] == 1
    assert data["scene"]["players"][out[3]] == "[red]Carlos[/red]"


@pytest.mark.parametrize(
    ("flags", "other"), [(ReplayFileFlags(out=Path("a.html")), False), (ReplayFileFlags(True), True)]
)
def test_flags_that_do_not_fit(flags: ReplayFileFlags, other: bool) -> None:
    with pytest.raises(OptionError):
        check_file_flags(flags, other)
