"""Simulations and bulk tournaments on a real scheduler with two workers: the same results, whoever is killed."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Timer
from types import MappingProxyType
from typing import Any

import psutil
import pytest
import trio

from tests.drills.rooms import Room
from tests.end_to_end.casino import ENVIRONMENT, casino
from tests.end_to_end.casino import run as run_casino
from tests.patience import PATIENCE

#: A worker that says it has another build than this one.
OTHER_BUILD = """
import sys
from bots.workers import worker
worker.build_name = lambda: "casino-day-0.0.9-0123456789ab"
worker.work_for(sys.argv[1], 1, 60)
"""


def read_until(process: "subprocess.Popen[str]", text: str) -> str:
    """The line of standard error that holds ``text``."""
    assert process.stderr is not None
    stuck = Timer(PATIENCE, process.kill)
    stuck.start()
    seen = ""
    try:
        for line in process.stderr:
            if text in line:
                return line
            seen += line
    finally:
        stuck.cancel()
    raise AssertionError(f"ended without {text!r}: {seen}")


def family(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """All that a process has started, and the process itself."""
    return [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]


def kill(process: "subprocess.Popen[str]") -> None:
    """Kill a process and all that it has started, as a machine dies."""
    for one in family(process):
        one.kill()
    process.wait()


@dataclass
class Cluster:
    """A scheduler, and the workers that are started for it.

    Attributes:
        settings: of dask, as variables of the environment of all processes.
        room: where the scheduler is; None if nothing is in a network of its own.
    """

    address: str
    scheduler: "subprocess.Popen[str]"
    held: ExitStack
    settings: Mapping[str, str]
    room: Room | None

    def start(self, *words: str, room: Room | None = None) -> "subprocess.Popen[str]":
        """Start ``casino`` beside the scheduler, or in another room; it is killed at the end."""
        return _started(self.held, _in_room(room or self.room, casino(*words)), **self.settings)

    def start_worker(self, other_build: bool = False, room: Room | None = None) -> "subprocess.Popen[str]":
        """Start a worker of one process, and wait until it has joined."""
        if other_build:
            worker = _started(self.held, [sys.executable, "-c", OTHER_BUILD, self.address])
        else:
            worker = self.start("worker", self.address, "--jobs", "1", "--patience", f"{PATIENCE}", room=room)
        assert self.address in read_until(worker, "Ctrl-C ends")
        return worker


def _in_room(room: Room | None, command: list[str]) -> list[str]:
    return command if room is None else room.command(*command)


def _started(held: ExitStack, command: list[str], **environment: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        command,
        env={**ENVIRONMENT, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    held.callback(process.communicate)
    held.callback(lambda: kill(process) if process.poll() is None else None)
    return process


@contextmanager
def open_scheduler(
    settings: Mapping[str, str] = MappingProxyType({}), room: Room | None = None, host: str = "127.0.0.1"
) -> Iterator[Cluster]:
    """Start a scheduler on a free port; everything that was started is killed at the end.

    Args:
        settings: see ``Cluster``.
        room: where it is.
        host: its address there.
    """
    command = [sys.executable, "-m", "dask", "scheduler", "--host", host, "--port", "0"]
    command += ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    with ExitStack() as held:
        scheduler = _started(held, _in_room(room, command), **settings)
        address = read_until(scheduler, "Scheduler at:").split()[-1]
        yield Cluster(address, scheduler, held, settings, room)


#: Twenty shards, each of tenths of a second.
STUD = ("simulate", "stud", "tight", "caller", "--deals", "20000", "--json")
#: Ten shards in the arena.
BLOCKHEAD = ("simulate", "blockhead", "random", "maniac", "--hands", "6", "--deals", "2500", "--json")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with open_scheduler() as made:
        made.start_worker()
        made.start_worker()
        yield made


def run(*words: str, code: int = 0) -> tuple[str, str]:
    """What ``casino`` prints on standard output and on standard error."""
    done = trio.run(run_casino, *words)
    assert done.code == code, done.err
    return done.out, done.err


@cache
def alone(*words: str) -> tuple[str, str]:
    """What ``casino`` prints without a cluster. Several tests compare with the same."""
    return run(*words)


def wait_for_shards(process: "subprocess.Popen[str]", kept: Path) -> int:
    """Wait until a checkpoint holds something; how many shards it holds."""
    last = time.monotonic() + PATIENCE
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.02)
        ended = process.returncode is not None
        if kept.exists() and (shards := int(json.loads(kept.read_text())["shards"])):
            return shards
        assert not ended
        assert time.monotonic() < last


def test_work_of_a_killed_worker_is_done_by_another(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    with open_scheduler() as cluster:
        worker = cluster.start_worker()
        cluster.start_worker()
        client = cluster.start(*STUD, "--cluster", cluster.address, "--checkpoint", str(kept))
        wait_for_shards(client, kept)
        kill(worker)
        out, err = client.communicate(timeout=PATIENCE)
        assert client.returncode == 0
        assert re.fullmatch(r"(casino: the worker tcp://127\.0\.0\.1:\d+ is lost; others compute its work\n)?", err)
    assert out == alone(*STUD)[0]
    assert json.loads(kept.read_text())["shards"] == 20


def test_killed_command_goes_on_from_its_checkpoint(cluster: Cluster, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    words = (*BLOCKHEAD, "--cluster", cluster.address, "--checkpoint", str(kept))
    client = cluster.start(*words)
    wait_for_shards(client, kept)
    kill(client)
    assert run(*words) == alone(*BLOCKHEAD)
    assert run(*BLOCKHEAD, "--checkpoint", str(kept)) == alone(*BLOCKHEAD), "a finished one is read, by anybody"


def test_decision_falls_after_the_same_game(cluster: Cluster) -> None:
    words = ("simulate", "blockhead", "alpha", "maniac", "--engine", "arena", "--until", "0.01", "--json")
    expected = alone(*words)
    assert run(*words, "--cluster", cluster.address) == expected
    facts = json.loads(expected[0])
    assert facts["decided"]
    assert facts["deals"] < 10_000


def test_kernel_and_cross_tables_of_every_game(cluster: Cluster) -> None:
    for words in (
        ("blockhead", "alpha", "caller", "--deals", "3000"),
        ("blockhead", "--cross", "alpha", "caller", "random", "--hands", "4", "--deals", "250"),
        ("dice", "--cross", "dice-four", "dice-price", "--deals", "10"),
        ("holdem", "--cross", "caller", "tight", "maniac", "--deals", "50"),
        ("stud", "--cross", "caller", "tight", "--deals", "50"),
    ):
        line = ("simulate", *words, "--json")
        assert run(*line, "--cluster", cluster.address) == run(*line)


def test_bulk_tournaments(cluster: Cluster, tmp_path: Path) -> None:
    words = ("round-robin", "dice", "dice-four", "dice-luck", "caller", "--rounds", "20k", "--series", "3", "--json")
    kept = tmp_path / "kept.json"
    assert chips(run(*words, "--cluster", cluster.address, "--checkpoint", str(kept))) == chips(run(*words))
    assert len(json.loads(kept.read_text())["finished"]) == 3


def chips(printed: tuple[str, str]) -> list[Any]:
    return [(row["name"], row["chips"], row["interval"]) for row in json.loads(printed[0])["standings"]]


def test_bot_that_fails_on_a_worker(cluster: Cluster) -> None:
    words = ("simulate", "stud", "caller", "nobody", "--cluster", cluster.address)
    assert run(*words, code=2)[1].startswith("casino: there is no bot 'nobody'")


def test_workers_of_another_build_are_not_used(tmp_path: Path) -> None:
    words = ("simulate", "stud", "tight", "caller", "--deals", "3000", "--json")
    with open_scheduler() as cluster:
        joined = ("--cluster", cluster.address)
        assert f"no worker has joined the scheduler at {cluster.address}" in run(*words, *joined, code=1)[1]
        cluster.start_worker(other_build=True)
        complaint = run(*words, *joined, code=1)[1]
        assert "they have casino-day-0.0.9-0123456789ab" in complaint
        worker = cluster.start_worker()
        out, err = run(*words, *joined)
        assert err.startswith("casino: 1 of 2 workers are not used")
        assert out == alone(*words)[0]
        worker.send_signal(signal.SIGINT)
        assert worker.wait(PATIENCE) == 0


def test_scheduler_that_dies_is_told_to_everybody(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    with open_scheduler() as cluster:
        worker = cluster.start_worker()
        client = cluster.start(*STUD, "--cluster", cluster.address, "--checkpoint", str(kept))
        wait_for_shards(client, kept)
        os.kill(cluster.scheduler.pid, signal.SIGKILL)
        assert f"casino: the scheduler at {cluster.address} is gone" in read_until(client, "casino:")
        assert f"casino: the connection to {cluster.address} is lost; trying for" in read_until(worker, "casino:")
        assert client.wait(PATIENCE) == 1
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(PATIENCE) == 0, "it waits for the scheduler no longer than it may"
    assert run(*STUD, "--checkpoint", str(kept)) == alone(*STUD)


def wait_for_children(process: "subprocess.Popen[str]") -> None:
    """Wait until a command has started a process, which has not begun to work."""
    last = time.monotonic() + PATIENCE
    while len(psutil.Process(process.pid).children()) < 2:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.02)
        assert process.returncode is None
        assert time.monotonic() < last


@pytest.mark.long
@pytest.mark.parametrize("where", [("--cluster", "local:2"), ("--jobs", "2")], ids=" ".join)
@pytest.mark.parametrize("plays", [False, True])
def test_interrupt_of_all_processes_of_a_terminal_ends_them_without_a_traceback(
    where: tuple[str, str], plays: bool, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.json"
    words = ("simulate", "stud", "tight", "caller", "--deals", "4000000", "--checkpoint", str(kept))
    process = subprocess.Popen(
        casino(*words, *where),
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        if plays:
            wait_for_shards(process, kept)
        else:
            wait_for_children(process)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert "Traceback" not in err


def test_processes_that_are_started_for_the_command() -> None:
    words = ("simulate", "stud", "tight", "caller", "--deals", "3000", "--json")
    assert run(*words, "--cluster", "local:2") == alone(*words)
