"""Machines that join a running simulation or stand still: nothing in the result tells of it."""

import json
import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from tests.bots.workers.cluster_processes import Cluster, family, kill, open_scheduler, read_until
from tests.bots.workers.test_cluster import STUD, run, wait_for_shards
from tests.patience import PATIENCE

pytestmark = pytest.mark.heavy

#: Seconds: the first after which a scheduler gives up a worker that says nothing, instead of five minutes.
QUICK = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "5s"}


def started(cluster: Cluster, kept: Path) -> "subprocess.Popen[str]":
    """A simulation of 40 shards on the cluster, of which some are done."""
    client = cluster.start(*STUD, "--cluster", cluster.address, "--checkpoint", str(kept))
    assert wait_for_shards(client, kept) < 40
    return client


def finished(client: "subprocess.Popen[str]", kept: Path) -> None:
    """Wait for the end of the simulation, whose result is that of one process."""
    out, err = client.communicate(timeout=PATIENCE)
    assert client.returncode == 0, err
    assert json.loads(kept.read_text())["shards"] == 40
    assert out == run(*STUD)[0]


def send(number: signal.Signals, processes: list[psutil.Process]) -> None:
    for one in processes:
        one.send_signal(number)


def test_worker_that_joins_late_does_the_rest(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    with open_scheduler() as cluster:
        first = cluster.start_worker()
        client = started(cluster, kept)
        cluster.start_worker()
        kill(first)
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
