"""Machines that join a running simulation, stand still or lose their network: nothing in the result tells of it."""

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import psutil
import pytest

from tests.bots.workers.whole.test_cluster import (
    STUD,
    Cluster,
    family,
    kill,
    open_scheduler,
    read_until,
    run,
    wait_for_shards,
)
from tests.drills.rooms import NEAR, Cable, Room, open_cable, open_rooms
from tests.patience import PATIENCE

pytestmark = pytest.mark.heavy

#: After how long a scheduler gives up a worker that says nothing, instead of five minutes, and a connection without
#: network ends, instead of half a minute. The second may not be less.
QUICK = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "5s", "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s"}


def started(cluster: Cluster, kept: Path, room: Room | None = None) -> "subprocess.Popen[str]":
    """A simulation of 20 shards on the cluster, of which some are done."""
    client = cluster.start(*STUD, "--cluster", cluster.address, "--checkpoint", str(kept), room=room)
    wait_for_shards(client, kept)
    return client


def finished(client: "subprocess.Popen[str]", kept: Path) -> None:
    """Wait for the end of the simulation, whose result is that of one process."""
    out, err = client.communicate(timeout=PATIENCE)
    assert client.returncode == 0, err
    assert json.loads(kept.read_text())["shards"] == 20
    assert out == alone()


@cache
def alone() -> str:
    """What the simulation prints in one process."""
    return run(*STUD)[0]


def send(number: signal.Signals, processes: list[psutil.Process]) -> None:
    for one in processes:
        one.send_signal(number)


def test_worker_that_joins_late_does_the_rest(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    with open_scheduler() as cluster:
        first = cluster.start_worker()
        client = started(cluster, kept)
        kill(first)
        assert read_until(client, "casino: the worker tcp://").endswith(" is lost; others compute its work\n")
        read_until(client, "no worker is left")
        cluster.start_worker()
        assert read_until(client, "casino: the worker tcp://").endswith(" has joined\n")
        finished(client, kept)


def test_process_that_hangs_is_started_again(tmp_path: Path) -> None:
    """Its nanny, which runs on, kills it when the scheduler says so."""
    kept = tmp_path / "kept.json"
    with open_scheduler(QUICK) as cluster:
        *hanging, _nanny = family(cluster.start_worker())
        cluster.start_worker()
        client = started(cluster, kept)
        send(signal.SIGSTOP, hanging)
        finished(client, kept)


def test_machine_that_stands_still_is_given_up_and_joins_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    with open_scheduler(QUICK) as cluster:
        worker = cluster.start_worker()
        cluster.start_worker()
        client = started(cluster, kept)
        machine = family(worker)
        send(signal.SIGSTOP, machine)
        finished(client, kept)
        send(signal.SIGCONT, machine)
        read_until(worker, f"{cluster.address} had given up a worker of this machine; it has joined again")


@contextmanager
def across_a_cable() -> Iterator[tuple[Cluster, Room, Cable]]:
    """A scheduler with a worker beside it, and a room at the other end of a cable."""
    with open_rooms() as (near, far), open_cable(near, far) as cable, open_scheduler(QUICK, near, NEAR) as cluster:
        cluster.start_worker()
        yield cluster, far, cable


def test_machine_without_network_is_given_up_and_joins_again(tmp_path: Path) -> None:
    kept, again = tmp_path / "kept.json", tmp_path / "again.json"
    with across_a_cable() as (cluster, far, cable):
        worker = cluster.start_worker(room=far)
        client = started(cluster, kept)
        cable.pull()
        finished(client, kept)
        read_until(worker, f"the connection to {cluster.address} is lost")
        cable.put_back()
        read_until(worker, f"{cluster.address} had given up a worker of this machine; it has joined again")
        finished(started(cluster, again, far), again)


def test_command_without_network_ends_and_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    with across_a_cable() as (cluster, far, cable):
        client = started(cluster, kept, far)
        cable.pull()
        read_until(client, f"the scheduler at {cluster.address} is gone, or the network to it was")
        assert client.wait(PATIENCE) == 1
        cable.put_back()
        finished(cluster.start(*STUD, "--cluster", cluster.address, "--checkpoint", str(kept), room=far), kept)


def test_network_that_is_soon_back_is_not_noticed(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    with across_a_cable() as (cluster, far, cable):
        cluster.start_worker(room=far)
        client = started(cluster, kept, far)
        cable.pull()
        cable.put_back()
        finished(client, kept)
