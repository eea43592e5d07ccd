"""The league of docker-compose.yml in real containers: to its standings, stopped half-way, and confined."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.dealer.support.raw_records import play_of
from tests.end_to_end.containers import ROOT, compose, health_check, services, stages

#: Commands that must be installed, each beside the Debian package that brings it.
TOOLS = {
    "podman": "podman",
    "runc": "runc",
    "catatonit": "catatonit",
    "iptables": "iptables",
    "debootstrap": "debootstrap",
}
#: Programs that podman calls and that lie in no folder of commands.
HELPERS = {"/usr/lib/podman/netavark": "netavark", "/usr/lib/podman/aardvark-dns": "aardvark-dns"}
#: Seconds after which a command is taken for stuck and killed; nothing else waits for a time.
PATIENCE = 300

# `crun` refuses machines with both kinds of control groups, and limits may only be lowered in a container.
CONTAINERS_CONF = """
[containers]
default_ulimits = ["nofile=1024:2048", "nproc=4096:8192"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_config_dir = "{folder}/networks"
"""
STORAGE_CONF = """
[storage]
driver = "overlay"
graphroot = "{folder}/graph"
runroot = "{folder}/run"
"""


def missing() -> str:
    """What has to be installed or changed before containers can be run here; empty if nothing."""
    packages = [package for command, package in TOOLS.items() if shutil.which(command) is None]
    packages += [package for path, package in HELPERS.items() if not Path(path).exists()]
    if packages:
        return f"containers need `apt-get install {' '.join(packages)}`"
    return "" if os.geteuid() == 0 else "containers with networks of their own need root"


@dataclass(frozen=True)
class Podman:
    """podman and podman-compose with storage, networks and settings in ``folder``."""

    folder: Path

    def run(self, *words: str, code: int | None = 0) -> str:
        """What `podman WORDS` prints; it must end with ``code`` unless that is None."""
        return self._run(["podman", *words], code)

    def compose(self, *words: str, files: tuple[Path, ...] = (), code: int | None = 0) -> str:
        """What `podman-compose WORDS` prints for the project's file, with ``files`` laid over it."""
        laid = [f"--file={path}" for path in (ROOT / "docker-compose.yml", *files)]
        command = Path(sys.executable).parent / "podman-compose"
        return self._run([str(command), "--no-ansi", *laid, *words], code)

    def _run(self, command: list[str], code: int | None) -> str:
        told = {
            "CONTAINERS_CONF": str(self.folder / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(self.folder / "storage.conf"),
        }
        done = subprocess.run(
            command,
            check=False,
            cwd=self.folder,
            env={**os.environ, **told},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
        )
        assert code is None or done.returncode == code, f"{shlex.join(command)}\n{done.stdout}"
        return done.stdout

    def container(self, service: str) -> str:
        """The name of the container of a service that `up` started."""
        return f"{compose()['name']}_{service}_1"

    def log(self, service: str) -> str:
        return self.run("logs", self.container(service))

    def inside(self, service: str, *words: str, code: int | None = 0) -> str:
        """What a command prints that runs inside the container of a service."""
        return self.run("exec", self.container(service), *words, code=code)

    def down(self) -> None:
        self.compose("--profile", "added", "--profile", "cluster", "down", "--volumes", "--timeout=0", code=None)


@contextmanager
def podman_with_images(folder: Path) -> Iterator[Podman]:
    """A podman with the images of all services; what it stored is removed in the end."""
    (folder / "networks").mkdir()
    (folder / "containers.conf").write_text(CONTAINERS_CONF.format(folder=folder))
    (folder / "storage.conf").write_text(STORAGE_CONF.format(folder=folder))
    podman = Podman(folder)
    try:
        _make_base_images(podman)
        _build_images(podman)
        yield podman
    finally:
        podman.down()
        podman.run("system", "reset", "--force", code=None)  # else mounts would keep the folder from being removed
        # A container that runs out of memory leaves this behind where it was started: beside the compose file.
        (ROOT / "oom").unlink(missing_ok=True)


def _dockerfiles() -> dict[str, list[str]]:
    """The Dockerfile of each image, with the services that run it."""
    built: dict[str, list[str]] = {}
    for name, service in services().items():
        built.setdefault(service["build"]["dockerfile"], []).append(name)
    return built


def _make_base_images(podman: Podman) -> None:
    """Make an image for each FROM out of the distribution's own Python, and give it the name that FROM says."""
    for base in sorted({stage.base for path in _dockerfiles() for stage in stages(ROOT / path)}):
        suite = base.rpartition("-")[2]
        system = podman.folder / suite
        subprocess.run(
            [
                *("debootstrap", "--variant=minbase", "--include=python3,python3-venv,python3-pip,ca-certificates"),
                *(suite, str(system), _archive(suite)),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        for marker in system.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            marker.unlink()  # the distribution's pip installs nothing beside its own packages otherwise
        (system / "usr/bin/python").symlink_to("python3")
        archive = system.with_suffix(".tar")
        subprocess.run(["tar", "-C", str(system), "-cf", str(archive), "."], check=True)
        shutil.rmtree(system)
        podman.run("import", str(archive), f"docker.io/library/{base}")
        archive.unlink()


def _archive(suite: str) -> str:
    """The archive from which this machine installs packages of a Debian suite."""
    targets = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)"], check=True, capture_output=True, text=True
    )
    return next(line.split()[1] for line in targets.stdout.splitlines() if line.split()[0] == suite)


def _build_images(podman: Podman) -> None:
    """Build each Dockerfile, with the settings of pip that this machine needs, and tag it for each service."""
    settings = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    told = [f"--env={name}={value}" for name, value in settings.items()]
    if certificates := settings.get("PIP_CERT"):
        told.append(f"--volume={certificates}:{certificates}:ro")
    for path, names in _dockerfiles().items():
        tags = [f"--tag=localhost/{compose()['name']}_{name}" for name in names]
        podman.run("build", "--network=host", *told, f"--file={ROOT / path}", *tags, str(ROOT))


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
    words = ["blockhead", "alpha", "caller", "--deals", "600", "--engine", "arena", "--seed", "containers", "--json"]
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
