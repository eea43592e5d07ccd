"""Simulations and bulk tournaments on a real scheduler with two workers: the same results, whoever is killed."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.bots.workers.cluster_processes import Cluster, kill, open_scheduler, read_until
from tests.end_to_end.casino import ENVIRONMENT, casino
from tests.patience import PATIENCE

#: Twenty shards, each of tenths of a second.
STUD = ("simulate", "stud", "tight", "caller", "--reset-stacks", "--hands", "20000", "--json")
#: Ten shards in the arena.
BLOCKHEAD = ("simulate", "blockhead", "random", "maniac", "--hands", "6", "--games", "2500", "--json")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with open_scheduler() as made:
        made.start_worker()
        made.start_worker()
        yield made


def run(*words: str, code: int = 0) -> tuple[str, str]:
    """What ``casino`` prints on standard output and on standard error."""
    done = subprocess.run(
        casino(*words), env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


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
        assert (client.returncode, err) == (0, "")
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
    assert facts["games"] < 10_000


def test_kernel_and_cross_tables_of_every_game(cluster: Cluster) -> None:
    for words in (
        ("blockhead", "alpha", "caller", "--games", "3000"),
        ("blockhead", "--cross", "alpha", "caller", "random", "--hands", "4", "--games", "500"),
        ("dice", "--cross", "dice-four", "dice-price", "--games", "20"),
        ("holdem", "--cross", "caller", "tight", "maniac", "--reset-stacks", "--hands", "50"),
        ("stud", "--cross", "caller", "tight", "--hands", "50"),
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
    words = ("simulate", "stud", "caller", "nobody", "--reset-stacks", "--cluster", cluster.address)
    assert run(*words, code=2)[1].startswith("casino: there is no bot 'nobody'")


def test_workers_of_another_build_are_not_used(tmp_path: Path) -> None:
    words = ("simulate", "stud", "tight", "caller", "--reset-stacks", "--hands", "3000", "--json")
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
    words = ("simulate", "stud", "tight", "caller", "--reset-stacks", "--hands", "4000000", "--checkpoint", str(kept))
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
    words = ("simulate", "stud", "tight", "caller", "--reset-stacks", "--hands", "3000", "--json")
    assert run(*words, "--cluster", "local:2") == alone(*words)
