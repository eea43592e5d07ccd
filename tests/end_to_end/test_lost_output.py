"""A tournament whose output can no longer be written is played to its end."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from dealer.errors import TornError
from tests.dealer.support.raw_records import play_of
from tests.end_to_end.casino import ENVIRONMENT, casino, without_stalls
from tests.end_to_end.hosted import SERVE, first_asked, fold_all, open_peer
from tests.patience import PATIENCE

if sys.platform == "win32":
    pytest.skip("no such streams there", allow_module_level=True)

LEAGUE = ("league", "stud", "caller", "tight", "--hands", "3", "--limit", "60", "--journal")


def shell(words: list[str], rest: str) -> subprocess.CompletedProcess[str]:
    """Run a command line with redirections."""
    script = f'"$@" {rest}'
    command = ["sh", "-c", script, "sh", *words]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    done.stderr = without_stalls(done.stderr)
    return done


def types(journal: Path) -> list[str]:
    try:
        return [record["type"] for record in play_of(journal)]
    except TornError:  # a batch is being written
        return []


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ("2>/dev/full", 0),
        ("2>&-", 0),
        (">&-", 0),
        (">&- 2>&- <&-", 0),
        (">/dev/full", 1),
        (">/dev/full 2>/dev/full", 1),
        ("--json >/dev/full", 1),
    ],
)
def test_league_is_played_to_its_end(rest: str, code: int, tmp_path: Path) -> None:
    journal = tmp_path / "j"
    done = shell(casino(*LEAGUE, journal), rest)
    assert done.returncode == code
    assert types(journal)[-1] == "end"
    assert "Traceback" not in done.stderr
    if code and "2>" not in rest:
        why = "standard output cannot be written (No space left on device)"
        assert done.stderr.splitlines() == [
            f"casino: {why}; the tournament goes on without it",
            f"casino: the results are lost: {why}",
        ]


def test_closed_descriptors_are_taken_by_nothing_else(tmp_path: Path) -> None:
    """Else the journal or a connection would be standard error."""
    watch = "import os,sys; from dealer.cli.streams import open_standard_streams as o; o(); print(os.open('/', 0))"
    done = shell([sys.executable, "-c", watch], "<&- 2>&-")
    assert int(done.stdout) > 2


@pytest.mark.parametrize("words", [["bots"], ["--version"], ["verify", "--help"]])
def test_other_commands_end_with_a_sentence(words: list[str]) -> None:
    done = shell(casino(*words), ">/dev/full")
    assert (done.returncode, done.stderr) == (1, "casino: cannot write the output: No space left on device\n")


#: A program that ends before it connects. Its exit code must reach ``set -o pipefail; casino check ... | head``.
FAILING = ["--", "false", "{port}"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["bots"], 0),
        (["bots", "--json"], 0),
        (["--version"], 0),
        (["league", "--help"], 0),
        (["check", "stud", *FAILING], 1),
        (["check", "stud", "--json", *FAILING], 1),
    ],
)
def test_reader_that_has_seen_enough_is_no_error_and_hides_none(words: list[str], code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        casino(*words), stdout=writer, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False, timeout=PATIENCE
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (code, b"")


async def test_readers_gone_in_play_end_nothing(tmp_path: Path) -> None:
    """Both pipes lose their readers while a hand is played; faults are logged and hands finished after that."""
    journal = tmp_path / "j"
    process = await trio.lowlevel.open_process(
        casino(*SERVE, "--seats", "3", "--journal", journal),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    text = b""
    while b"The tournament starts when" not in text:
        text += await process.stdout.receive_some()
    port = int(text.split(b"port ")[1].split()[0])
    async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b, open_peer(port, "c:C") as c:
        asked = await first_asked(a, b, c)
        await process.stdout.aclose()
        await process.stderr.aclose()
        await asked.say("nonsense")
        await fold_all(a, b, c)
    assert await process.wait() == 1  # the results could not be printed
    assert "end" in types(journal)


async def test_reader_that_stands_still_does_not_stop_the_tables(tmp_path: Path) -> None:
    """The pipe is full before the dealer starts, and is read when the tournament is over."""
    journal = tmp_path / "j"
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while os.write(writing, b"." * 4096):
            pass
    os.set_blocking(writing, True)
    process = await trio.lowlevel.open_process(
        casino(*LEAGUE, journal), stdin=subprocess.DEVNULL, stdout=writing, stderr=writing, env=ENVIRONMENT
    )
    os.close(writing)
    async with trio.lowlevel.FdStream(reading) as stream:
        with trio.fail_after(PATIENCE):
            while not journal.exists() or "end" not in types(journal):
                await trio.sleep(0.05)  # the journal is a file of another process, which tells nobody
        text = b"".join([bytes(data) async for data in stream])
    assert await process.wait() == 0
    assert "Standings" in text.decode()
