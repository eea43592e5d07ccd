"""Transcripts of checks and tournaments are judged, and other files are refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from trio.testing import MockClock

from dealer.checker.check import judge_file
from dealer.checker.check_flags import CheckFlags
from dealer.checker.output.check_report import Results, as_json, blocks_of, show
from dealer.checker.scoring.findings import KEPT
from dealer.checker.session.transcript_format import HEADING, read_transcript
from dealer.errors import TranscriptError
from dealer.settings import Settings
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame
from tests.bad_bots import manners, replies
from tests.dealer.support.reported import play_recorded, report
from tests.dealer.support.rig import SEED, BadBot, by_chance, good_clients

WHOLE = """\
dealer:  login
you:     ada-l:Ada               0.512 ms
dealer:  bet1:499:4:0:2C:AH:up:AH:KH:QH:JH
you:     bet:10                  0.204 ms
dealer:  bet1:489:44:5:2C:AH:up:AH:KH:QH:JH
you:     bet:15
dealer:  status:win:2C:AH:3D
dealer:  done:you have 509 chips
closed:  1.021 ms
"""


def judged(path: Path, limit: float = 1.0) -> Results:
    return judge_file(None, (), CheckFlags(transcript=path, limit=limit))


def of_text(text: str, folder: Path) -> Results:
    path = folder / "transcript.txt"
    path.write_text(text, encoding="utf-8")
    return judged(path)


def test_transcript_of_which_no_line_can_be_judged_does_not_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = of_text("dealer:  login\n", tmp_path)
    assert results.verdict.lines == ()
    for least in (None, 0.0):
        unjudged = replace(results, least=least)
        assert not unjudged.passed
        show(unjudged)
        assert capsys.readouterr().out.startswith("0 of 0 points, 0 %; nothing could be judged\n")


def wrong(results: Results) -> dict[str, str]:
    """What was wrong first on each line that failed."""
    return {
        verdict.line.id: verdict.findings[0].what for verdict in results.verdict.lines if verdict.verdict == "failed"
    }


def test_short_transcript_passes(tmp_path: Path) -> None:
    results = of_text(WHOLE, tmp_path)
    assert wrong(results) == {}
    assert results.passed
    assert results.findings.names == ["ada-l:Ada"]
    assert [verdict.line.id for verdict in results.verdict.lines] == [
        "connects", "login", "answers", "clock", "legal", "news", "closes",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("bet:15", "bet:16", "legal", "allowed were fold, bet:5 (a call), bet:6 to bet:15 (a raise)"),
        ("bet:15", "call", "legal", "expected 'fold' or 'bet:<chips>', got 'call'"),
        ("you:     bet:15", "bytes:   00 05 62 65 74 3a 39", "legal", None),
        ("you:     bet:15", "bytes:   62 65 74 3a 35 0a", "legal", "what came is no message"),
        ("0.204 ms", "1204.000 ms", "clock", "the reply took 1.204 s"),
        ("ada-l:Ada", "ada-l", "login", "the name cannot be read: expected '<id>:<avatar>', got 'ada-l'"),
        ("dealer:  done", "you:     ok\ndealer:  done", "answers", "it spoke although nothing was asked"),
        ("you:     bet:15", "closed:  3 ms", "answers", "the program closed the connection instead of a reply"),
        ("dealer:  done", "closed:  3 ms\ndealer:  done", "news", "the program closed the connection before done"),
        (
            "you:     bet:15",
            "-- late: no complete reply came; the hand was folded",
            "clock",
            "late: no complete reply came",
        ),
        ("you:     bet:15", "-- malformed: got 'x'; the hand was folded", "legal", "malformed: got 'x'"),
        ("you:     bet:15", "-- unasked: a reply came; the hand was folded", "answers", "unasked: a reply came"),
    ],
)
def test_mistake_in_transcript_fails_its_line(old: str, new: str, line: str, what: str | None, tmp_path: Path) -> None:
    assert old in WHOLE
    found = wrong(of_text(WHOLE.replace(old, new), tmp_path))
    assert found == ({} if what is None else {line: what})


@pytest.mark.parametrize("end", ["you:     bet:1", "bytes:   00 05 6", "dealer:  bet1:489:44:5:2C:AH:up:AH:KH:QH"])
def test_cut_line_of_a_transcript_is_told_and_not_judged(
    end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = HEADING + WHOLE[: WHOLE.rindex("you:" if end[0] != "d" else "dealer:  bet1")]
    results = of_text(whole + end, tmp_path)
    assert wrong(results) == {}
    assert "in the middle of a line" in results.remark
    show(results)
    assert capsys.readouterr().out.splitlines()[1] == results.remark
    assert json.loads(as_json(results))["remark"] == results.remark
    assert wrong(of_text(whole, tmp_path)).keys() == ({"answers"} if end[0] != "d" else set())


@pytest.mark.parametrize("text", [WHOLE, WHOLE.rstrip()])
def test_whole_transcript_has_no_remark(text: str, tmp_path: Path) -> None:
    results = of_text(text, tmp_path)
    assert results.remark == ""
    assert "remark" not in json.loads(as_json(results))
    assert [verdict.line.id for verdict in results.verdict.lines][-1] == "closes"


def test_every_mistake_is_counted(tmp_path: Path) -> None:
    hand = "dealer:  bet1:499:4:0:2C:AH:up:AH:KH:QH:JH\nyou:     {reply}\ndealer:  status:win:2C:AH:3D\n"
    replies = ["pass"] * 2 * KEPT + ["bet:11"] * (KEPT + 1)
    text = "dealer:  login\nyou:     ada-l:Ada\n" + "".join([hand.format(reply=reply) for reply in replies])
    (legal,) = [one for one in of_text(text, tmp_path).verdict.lines if one.line.id == "legal"]
    assert legal.wrong == sum(legal.causes.values()) == len(replies)
    heads = [block.splitlines()[0].rpartition("(")[2] for block in blocks_of(legal)]
    assert heads == [f"{2 * KEPT} times like this)", f"{KEPT + 1} times like this)"]


def test_transcript_of_unknown_game_is_refused(tmp_path: Path) -> None:
    text = WHOLE.replace("dealer:  bet1", "dealer:  game:bridge:seat=0\ndealer:  bet1", 1)
    with pytest.raises(TranscriptError, match=r"the game of this transcript is not installed: .*bridge"):
        of_text(text, tmp_path)


def test_transcript_with_two_names_fails_login(tmp_path: Path) -> None:
    assert set(wrong(of_text(WHOLE + WHOLE.replace("Ada ", "Eve "), tmp_path))) == {"login"}


@pytest.mark.parametrize("game", [StudGame(60), BlockheadGame(hands=5)], ids=lambda game: game.name)
@pytest.mark.parametrize("anonymous", [False, True])
async def test_transcript_of_correct_player_passes(
    game: StudGame | BlockheadGame, anonymous: bool, tmp_path: Path
) -> None:
    players = good_clients(4)
    for number, player in enumerate(players):
        player.decide = by_chance(number)
    await play_recorded(tmp_path / "journal", Settings(SEED, game, 20, table_size=6), players)
    report(tmp_path / "journal", tmp_path / "out", anonymous=anonymous)
    paths = sorted((tmp_path / "out/players").glob("*/transcript.txt"))
    assert len(paths) == 4
    for path in paths:
        results = judged(path, limit=60)
        assert wrong(results) == {}
        assert results.game == game.name
        lines = {verdict.line.id for verdict in results.verdict.lines}
        assert lines == {"connects", "login", "answers", "clock", "legal", "news"}
        assert results.verdict.percent == 100


@pytest.fixture
def tcp_clock() -> MockClock:
    """Time jumps when nothing has come for 10 ms."""
    return MockClock(autojump_threshold=0.01)


@pytest.mark.parametrize(
    ("bad", "line"),
    [
        (replies.late, "clock"),
        (replies.malformed, "legal"),
        (replies.bets_too_much, "legal"),
        (replies.oversized, "legal"),
        (manners.leaves_when_asked, "answers"),
    ],
)
async def test_transcript_of_faulty_player_shows_its_fault(
    bad: BadBot, line: str, tmp_path: Path, tcp_clock: MockClock
) -> None:
    await play_recorded(tmp_path / "journal", Settings(SEED, StudGame(100), 30), [*good_clients(2), bad])
    report(tmp_path / "journal", tmp_path / "out")
    results = judged(tmp_path / "out/players/bad/transcript.txt", limit=60)
    assert set(wrong(results)) == {line}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no line says"),
        ("dealer:  hello\n", "no line says"),
        ("dealer:  login\nyou:     a:b   x ms\n", "line 2: 'x' is no number of milliseconds"),
        ("dealer:  login\nbytes:   xy\n", "line 2: 'xy' are no bytes"),
    ],
)
def test_file_that_is_no_transcript_is_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(TranscriptError, match=words):
        read_transcript(path)


def test_binary_file_is_no_transcript(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xff\xfe\0")
    with pytest.raises(TranscriptError, match=r"it is not text"):
        read_transcript(path)
