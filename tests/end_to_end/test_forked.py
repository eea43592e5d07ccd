"""A forked ``casino`` does what one in a Python of its own does."""

import os
import select
import subprocess
from pathlib import Path

import pytest
import trio

from tests.end_to_end.casino import ENVIRONMENT, casino, run
from tests.end_to_end.forked import run_forked
from tests.patience import PATIENCE


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["league", "stud", "caller", "caller", "--hands", "0"],
        ["new", "there", "--lang", "cobol"],
        ["verify", "nowhere.journal"],
        ["verify", "-"],
    ],
)
async def test_streams_and_exit_code(words: list[str]) -> None:
    forked = await run_forked(words, b"no journal", ENVIRONMENT)
    started = subprocess.run(
        casino(*words), input=b"no journal", capture_output=True, check=False, env=ENVIRONMENT, timeout=PATIENCE
    )
    assert forked.stdout + forked.stderr
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


async def test_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert (await run("new", "mine", "--lang", "python")).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


async def test_cancelled_process_is_killed(tmp_path: Path) -> None:
    pipe = tmp_path / "journal"
    os.mkfifo(pipe)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run, "verify", pipe)
        writer = await trio.to_thread.run_sync(os.open, pipe, os.O_WRONLY)  # as soon as there is a reader
        nursery.cancel_scope.cancel()
    readers = select.poll()
    readers.register(writer, 0)
    assert readers.poll(1000 * PATIENCE) == [(writer, select.POLLERR)]  # there is no reader any more
    os.close(writer)
