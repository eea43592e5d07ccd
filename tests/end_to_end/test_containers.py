"""The league of docker-compose.yml in real containers: to its standings, stopped half-way, and confined."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.closings import play_of
from tests.end_to_end.containers import compose, health_check, services
from tests.end_to_end.podman import Podman, missing, podman_with_images

pytestmark = pytest.mark.heavy  # builds a system and two images

BOTS = [name for name, service in services().items() if name != "dealer" and "profiles" not in service]
#: A tournament that ends only when it is stopped: nobody loses so many chips.
ENDLESS = """
services:
  dealer:
    command: [--port, "4000", --seats, "4", --hands, "1000000000", --stack, "1000000000", --fast]
"""

#: How often the league is started until every bot has reached the dealer.
STARTS = 3

#: Starts processes until it is refused, says how many there were, and ends them.
FORK_BOMB = """
import os, signal
started = 0
try:
    while started < 1000:
        if not os.fork():
            signal.pause()
        started += 1
except BlockingIOError:
    print(started)
os.killpg(0, signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Podman]:
    if why := missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(why)
    with podman_with_images(tmp_path_factory.mktemp("podman")) as podman:
        yield podman


@pytest.fixture
def podman(images: Podman) -> Iterator[Podman]:
    yield images
    images.down()


@pytest.fixture(scope="module")
def endless(images: Podman, tmp_path_factory: pytest.TempPathFactory) -> Podman:
    """A league that is being played; the tests that use it leave it so, but for the last one, which stops it."""
    changed = tmp_path_factory.mktemp("compose") / "endless.yml"
    changed.write_text(ENDLESS)
    start_league(images, changed)
    read_log(images, "The tournament starts with 4 players.")
    return images


def start_league(podman: Podman, *files: Path) -> None:
    """Start all services, until every bot has logged in.

    Podman's name server reads its entries again whenever a container starts, and may lose one on the way. Then a bot
    cannot find the dealer for as long as it runs, which says nothing about the league; so all are started once more.
    """
    for _ in range(STARTS):
        podman.compose("up", "--no-build", "--detach", files=files)
        if every_bot_logs_in(podman):
            return
        podman.down()
    pytest.fail(f"a bot did not reach the dealer in any of {STARTS} starts")


def every_bot_logs_in(podman: Podman) -> bool:
    """Wait until each bot is in the dealer's log, or has ended without being there."""
    while absent := [name for name in BOTS if f", id {name}\n" not in podman.log("dealer")]:
        for name in ["dealer", *absent]:
            if not is_running(podman, name):
                print(name, podman.log(name))
                return False
    return True


def is_running(podman: Podman, service: str) -> bool:
    return podman.run("inspect", "--format={{.State.Running}}", podman.container(service)).strip() == "true"


def read_log(podman: Podman, text: str) -> None:
    """Read the dealer's log until ``text`` is in it."""
    while text not in podman.log("dealer"):
        assert is_running(podman, "dealer")


def journal_of(podman: Podman, folder: Path) -> Path:
    """The dealer's journal, copied out of its volume, and verified."""
    archive = folder / "journals.tar"
    podman.run("volume", "export", f"--output={archive}", f"{compose()['name']}_journals")
    subprocess.run(["tar", "-C", str(folder), "-xf", str(archive)], check=True)
    (journal,) = folder.glob("*.journal")
    casino = str(Path(sys.executable).parent / "casino")
    subprocess.run([casino, "verify", str(journal)], check=True, stdin=subprocess.DEVNULL)
    return journal


def test_a_league_is_played_to_its_standings(podman: Podman, tmp_path: Path) -> None:
    start_league(podman)
    podman.inside("dealer", *health_check(services()["dealer"]))
    podman.compose("--profile", "added", "run", "--rm", "-T", "bot", "random")
    assert podman.run("wait", podman.container("dealer")).strip() == "0"

    log = podman.log("dealer")
    assert "Standings" in log
    assert "…" not in log, "the table is wider than the log"
    for name in BOTS:
        assert re.search("you are out|the tournament is over", podman.log(name))
    start, *_, end = play_of(journal_of(podman, tmp_path))
    ids = {player["id"] for player in start["players"]}
    assert set(BOTS) < ids
    assert [re.sub("-[0-9a-f]{12}$", "", added) for added in ids - set(BOTS)] == ["random"]
    assert end["type"] == "end"
    assert all(standing["faults"] == [] for standing in end["standings"])


def test_a_simulation_on_a_cluster(podman: Podman) -> None:
    """The scheduler, a worker and the command are containers, and the result is that of one process without them."""
    start_cluster(podman)
    words = ["blockhead", "alpha", "caller", "--games", "600", "--engine", "arena", "--seed", "containers", "--json"]
    printed = podman.compose("--profile", "cluster", "run", "--rm", "-T", "simulate", *words)
    command = [str(Path(sys.executable).parent / "casino"), "simulate", *words]
    alone = subprocess.run(command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    assert json.loads(printed[printed.index("{") : printed.rindex("}") + 1]) == json.loads(alone)


def start_cluster(podman: Podman) -> None:
    """Start the scheduler and a worker, until it has joined; once more if the name server lost a name on the way."""
    for _ in range(STARTS):
        podman.compose("--profile", "cluster", "up", "--no-build", "--detach", "scheduler", "worker")
        while is_running(podman, "worker"):
            if "Ctrl-C ends" in podman.log("worker"):
                return
        print(podman.log("worker"))
        podman.down()
    pytest.fail(f"a worker did not reach the scheduler in any of {STARTS} starts")


def test_what_the_hardening_forbids_is_forbidden(endless: Podman) -> None:
    for name in ["dealer", BOTS[0]]:
        status = endless.inside(name, "cat", "/proc/self/status")
        assert re.search(r"Uid:\s+10001\s", status)
        assert re.search(r"CapEff:\s+0+\n", status)
        assert re.search(r"NoNewPrivs:\s+1\n", status)
        for place in ["/", "/usr/bin", "/home"]:
            refused = endless.inside(name, "sh", "-c", f"echo x > {place}/file", code=None)
            assert re.search("Read-only file system|Permission denied", refused), (name, place, refused)
        endless.inside(name, "sh", "-c", "echo x > /tmp/file")
        limits = json.loads(endless.run("inspect", endless.container(name)))[0]["HostConfig"]
        assert limits["PidsLimit"] == services()[name]["pids_limit"]
        assert limits["Memory"] == 256 * 2**20
    endless.inside("dealer", "sh", "-c", "echo x > /journals/file")
    assert "No such file" in endless.inside(BOTS[0], "ls", "/journals", code=None)


def test_a_fork_bomb_stays_in_its_container(endless: Podman) -> None:
    printed = endless.inside(BOTS[0], "python3", "-u", "-c", FORK_BOMB, code=None)
    assert 0 < int(printed.split()[0]) < services()[BOTS[0]]["pids_limit"]


def test_memory_is_limited(endless: Podman) -> None:
    taken = endless.inside(BOTS[0], "python3", "-c", "print(len(b'x' * 2**30))", code=None)
    assert str(2**30) not in taken


def test_a_bot_reaches_the_dealer_and_nothing_else(endless: Podman) -> None:
    reach = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 3)"
    endless.inside(BOTS[0], "python3", "-c", reach, "dealer", "4000")
    networks = json.loads(endless.run("inspect", endless.container("dealer")))[0]["NetworkSettings"]["Networks"]
    assert len(networks) == 1, "an internal network, and no other"
    # 192.0.2.1 is reserved for documentation: a host would answer nothing, a container without a way out says so.
    refused = endless.inside(BOTS[0], "python3", "-c", reach, "192.0.2.1", "80", code=1)
    assert "Network is unreachable" in refused


def test_stopping_finishes_the_hand(endless: Podman, tmp_path: Path) -> None:
    endless.compose("stop", "--timeout=60")
    assert "Standings" in endless.log("dealer")
    *played, end = play_of(journal_of(endless, tmp_path))
    assert all(not record["faults"] for record in played if record["type"] == "hand")
    assert end["type"] == "end"
