"""A forked ``casino`` does what one in a Python of its own does."""

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


async def test_cancelled_process_is_killed() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listener.socket.getsockname()[1]
    with trio.fail_after(PATIENCE):
        async with listener, trio.open_nursery() as nursery:
            nursery.start_soon(run, "bot", "caller", "127.0.0.1", str(port))
            program = await listener.accept()
            nursery.cancel_scope.cancel()
        async with program:
            async for _ in program:  # until nobody is at the other end any more
                pass
