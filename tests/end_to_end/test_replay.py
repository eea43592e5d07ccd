"""``casino replay``: journals of real leagues, whole, cut and damaged, and a replay that is interrupted."""

import csv
import json
import os
import pty
import re
import signal
import subprocess
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
import trio

from dealer.errors import BAD_USAGE, FAILED
from tests.dealer.support.golden_replays import FOLDER, write_blockhead, write_stud
from tests.dealer.support.raw_records import read_raw
from tests.end_to_end.casino import ENVIRONMENT, Outcome, casino, run
from tests.end_to_end.terminal import open_terminal
from tests.patience import PATIENCE

#: The heading of a hand.
HAND = re.compile(r"^Hand \d+, table \d+", re.MULTILINE)


async def replay(*words: str | Path) -> Outcome:
    return await run("replay", *words)


@pytest.fixture
def stud(tmp_path: Path) -> Path:
    return write_stud(tmp_path / "stud.journal")


@pytest.mark.parametrize(
    "game", [("stud", "tight", "caller", "maniac"), ("blockhead", "alpha", "beta", "--games", "2")]
)
async def test_a_league_can_be_watched_and_exported(game: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "league.journal"
    assert (await run("league", *game, "--hands", "5", "--seed", "x", "--limit", "30", "--journal", path)).code == 0
    hands = [record for record in read_raw(path) if record["type"] == "hand"]
    watched, lines, table = [await replay(path, *words) for words in ([], ["--json"], ["--csv"])]
    assert [(outcome.code, outcome.err) for outcome in (watched, lines, table)] == [(0, "")] * 3
    assert len(HAND.findall(watched.out)) == len(hands)
    assert "The end of the tournament." in watched.out
    assert [json.loads(line)["type"] for line in lines.out.splitlines()].count("hand") == len(hands)
    rows = [row for row in csv.DictReader(StringIO(table.out)) if row["microseconds"]]
    assert len(rows) == sum(microseconds is not None for record in hands for *_, microseconds in record["actions"])


async def test_replay_to_a_file_is_the_golden_text_without_pauses(stud: Path) -> None:
    outcome = await replay(stud, "--speed", "0.000001")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (FOLDER / "stud.txt").read_text("utf-8")


async def test_an_unfinished_tournament_seen_from_a_seat(tmp_path: Path) -> None:
    outcome = await replay(write_blockhead(tmp_path / "a.journal"), "--seat", "0")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (FOLDER / "blockhead_seen_from_seat_0.txt").read_text("utf-8")


@pytest.mark.parametrize("form", ["", "--json", "--csv"])
async def test_torn_end_is_reported_after_all_whole_hands(form: str, stud: Path) -> None:
    whole = await replay(stud, *form.split())
    stud.write_bytes(stud.read_bytes() + b"\x92\xc4\x04")
    outcome = await replay(stud, *form.split())
    assert outcome.code == 1
    assert outcome.complaint == [f"casino: {stud}: its end is torn (3 bytes behind the last whole record)"]
    assert outcome.out == whole.out


async def test_a_damaged_journal_is_shown_as_far_as_it_is_whole(stud: Path) -> None:
    data = bytearray(stud.read_bytes())
    data[data.index(b"stacks", data.index(b"stacks") + 1)] ^= 1  # in the second hand
    stud.write_bytes(data)
    outcome = await replay(stud)
    assert outcome.code == 1
    (complaint,) = outcome.complaint
    assert "was altered" in complaint
    assert len(HAND.findall(outcome.out)) == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--hand", "7"], "there is no hand 7: hands count from 1 to 6"),
        (["--hand", "7", "--json"], "there is no hand 7"),
        (["--table", "1"], "there is no table 1"),
        (["--seat", "nobody"], "there is no player 'nobody'"),
        (["--json", "--csv"], "choose one of --json, --csv and --export"),
        (["--hand", "0"], "--hand"),
        (["--speed", "-1"], "--speed"),
        (["--speed", "nan"], "--speed"),
    ],
)
async def test_replay_of_what_is_missing_exits_with_2(words: list[str], reason: str, stud: Path) -> None:
    outcome = await replay(stud, *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert reason in " ".join(outcome.err.replace("│", " ").split())
    if reason != words[0]:
        assert len(outcome.complaint) == 1


@pytest.mark.parametrize("content", [None, b"", b"no journal at all"])
async def test_a_file_that_is_no_journal_is_told_in_a_line(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "x"
    if content is not None:
        path.write_bytes(content)
    outcome = await replay(path)
    assert (outcome.code, outcome.out) == (BAD_USAGE if content is None else FAILED, "")
    assert len(outcome.complaint) == 1


async def test_a_terminal_of_plain_characters_gets_plain_cards(stud: Path) -> None:
    with trio.fail_after(PATIENCE):
        done = await trio.run_process(
            casino("replay", stud), capture_stdout=True, env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
        )
    assert b"(AS) 8C" in done.stdout
    assert b"(5C) 4C 2S" in done.stdout


async def test_an_interrupt_ends_a_replay_without_a_word(stud: Path) -> None:
    ours, theirs = pty.openpty()
    with trio.fail_after(PATIENCE):
        async with trio.lowlevel.FdStream(ours) as screen:
            process = await trio.lowlevel.open_process(
                casino("replay", stud, "--speed", "0.001"), stdin=theirs, stdout=theirs, stderr=theirs, env=ENVIRONMENT
            )
            os.close(theirs)
            seen = b""
            try:
                while b"q ends" not in seen:  # the first pause, of many minutes, is behind them
                    seen += await screen.receive_some()
                process.send_signal(signal.SIGINT)
                assert await process.wait() == 130
                with suppress(trio.BrokenResourceError):  # what a terminal says when its last program has left
                    async for data in screen:
                        seen += data
            finally:
                process.kill()
    assert b"Traceback" not in seen
    assert b"Street 2" not in seen


@pytest.mark.parametrize("form", ["", "--speed 0", "--json", "--csv"])
async def test_closed_output_pipe_is_no_error(form: str, stud: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        casino("replay", stud, *form.split()), stdout=writer, stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    os.close(writer)
    _, err = await trio.to_thread.run_sync(process.communicate, None, PATIENCE)
    assert (process.returncode, err) == (0, b"")


async def test_keys_step_through_hands_at_a_terminal(stud: Path) -> None:
    async with open_terminal("replay", stud, "--speed", "0.001") as terminal:
        await terminal.until("Hand 1,")
        await terminal.press(b"\x1b[B")
        await terminal.until("Hand 2,")
        await terminal.press(b"\x1b[D")
        await terminal.until("the end")
        await terminal.press(b"q")
        assert await terminal.ended() == 0
