"""The league in containers, without containers: every command line they run, run here, and what confines them."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from tests.dealer.support.raw_records import play_of
from tests.end_to_end.containers import (
    PORT,
    ROOT,
    Stage,
    command_line,
    compose,
    dockerfile,
    health_check,
    services,
    stages,
)

SERVICES = services()
BOTS = [name for name, service in SERVICES.items() if name != "dealer" and "profiles" not in service]
DOCKERFILES = sorted({dockerfile(service) for service in SERVICES.values()})
#: The port of the cluster's scheduler.
SCHEDULER_PORT = "8786"
#: Seconds after which a process is taken for stuck and killed; nothing else waits for a time.
PATIENCE = 300

each_service = pytest.mark.parametrize("name", SERVICES)
each_dockerfile = pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.parent.name)


class Containers:
    """Processes that run what the containers would, on one port of this machine instead of the dealer's own.

    The times they are given are long, for this machine may be busy.
    The port is held by a socket that never listens, so nobody else can take it.
    """

    def __init__(self, journals: Path, held: ExitStack) -> None:
        self.journals = journals
        self._held = held
        self._numbers = count(0xC0FFEE000000)
        # Both the holder and the dealer's listener set REUSEADDR; the kernel lets two share a port until one listens.
        holder = held.enter_context(socket.socket())
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("0.0.0.0", 0))
        self.port: int = holder.getsockname()[1]

    def start(self, service: str, *, run: list[str] | None = None, **changes: str) -> subprocess.Popen[str]:
        """Start one; ``changes`` are other flags for the dealer, in place of those it has."""
        line = "\0".join(command_line(SERVICES[service], run))
        if service == "dealer":
            assert line.count("/journals/") == 1
            line = line.replace("/journals/", f"{self.journals}/")
            for flag, value in {"port": str(self.port), "line-port": "0", "limit": "60", **changes}.items():
                line, replaced = re.subn(rf"--{flag}\0[^\0]*", f"--{flag}\0{value}", line)
                line += "" if replaced else f"\0--{flag}\0{value}"
        elif SERVICES[service]["networks"] == ["cluster"]:
            line = line.replace("scheduler:", "127.0.0.1:").replace(SCHEDULER_PORT, str(self.port))
        else:
            line, replaced = re.subn(rf"\bdealer([ \0]){PORT}\b", rf"127.0.0.1\g<1>{self.port}", line)
            assert replaced == 1
            line = "\0".join([line, *(() if run == [] else ("--patience", "600"))])
        process = subprocess.Popen(
            line.split("\0"),
            cwd="/",
            env=self._environment(service),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        stuck = Timer(PATIENCE, process.kill)
        stuck.start()
        self._held.callback(stuck.cancel)
        self._held.callback(process.communicate)
        self._held.callback(process.kill)
        return process

    def healthy(self) -> bool:
        words = health_check(SERVICES["dealer"])
        told = [word.replace(f":{int(PORT):04X} ", f":{self.port:04X} ") for word in words]
        assert told != words
        return subprocess.run(told, check=False, env=self._environment("dealer")).returncode == 0

    def _environment(self, service: str) -> dict[str, str]:
        """What is set in a container: nothing of this machine, but for the way to the commands."""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        given: dict[str, str] = SERVICES[service].get("environment", {})
        return {"PATH": path, "HOME": "/", "HOSTNAME": f"{next(self._numbers):012x}", **given}


@pytest.fixture
def containers(tmp_path: Path) -> Iterator[Containers]:
    with ExitStack() as held:
        yield Containers(tmp_path, held)


def read_until(process: subprocess.Popen[str], text: str) -> str:
    """What a process prints, up to the line with ``text``."""
    assert process.stdout is not None
    seen = ""
    for line in process.stdout:
        seen += line
        if text in line:
            return seen
    raise AssertionError(f"ended without {text!r}: {seen}")


def see_out(process: subprocess.Popen[str], code: int = 0) -> str:
    """The rest of what a process prints before it ends by itself."""
    assert process.stdout is not None
    rest = process.stdout.read()
    assert process.wait() == code, (process.args, rest)
    return rest


def records(journals: Path) -> list[Any]:
    (journal,) = journals.glob("*.journal")
    return play_of(journal)


def test_league_with_two_added_bots_of_a_kind_ends(containers: Containers) -> None:
    assert not containers.healthy()
    bots = [containers.start(name) for name in BOTS]
    for bot in bots:  # nothing says that a dealer is up first
        read_until(bot, "no dealer at")
    dealer = containers.start("dealer", wait="600", seats="6", hands="100")
    read_until(dealer, "The tournament starts")
    assert containers.healthy()
    bots += [containers.start("bot", run=["tight"]), containers.start("bot", run=["tight"])]

    results = see_out(dealer)
    assert not containers.healthy()
    assert "Standings" in results
    assert "…" not in results, "the table is wider than the log"
    for bot in bots:
        assert re.search("you are out; broke|the tournament is over", see_out(bot))

    start, *_, end = records(containers.journals)
    ids = {player["id"] for player in start["players"]}
    assert set(BOTS) < ids
    assert all(re.fullmatch("tight-[0-9a-f]{12}", added) for added in ids - set(BOTS))
    assert end["type"] == "end"
    assert all(standing["faults"] == [] for standing in end["standings"])


def test_the_wait_alone_starts_the_league(containers: Containers) -> None:
    dealer = containers.start("dealer", wait="0.001", hands="3")
    for bot in [containers.start(name) for name in BOTS[:2]]:
        see_out(bot)
    assert "3 hands" in see_out(dealer)


def test_stopping_everything_finishes_the_hand(containers: Containers) -> None:
    # Nobody runs out of so many chips: only the signal ends this one.
    dealer = containers.start("dealer", wait="600", seats=str(len(BOTS)), hands="1000000000", stack="1000000000")
    bots = [containers.start(name) for name in BOTS]
    read_until(dealer, f"The tournament starts with {len(BOTS)} players.")
    for name, process in zip([*BOTS, "dealer"], [*bots, dealer], strict=True):
        process.send_signal(signal.Signals[SERVICES[name]["stop_signal"]])

    results = see_out(dealer)
    assert "Standings" in results
    for bot in bots:
        assert "the tournament is over" in see_out(bot)
    *played, end = records(containers.journals)
    assert all(not record["faults"] for record in played if record["type"] == "hand")
    assert end["type"] == "end"


def test_an_added_bot_without_a_name_is_asked_for_one(containers: Containers) -> None:
    bot = containers.start("bot", run=[])
    assert "which bot? for example: docker compose run --rm bot tight" in see_out(bot, code=2)


@pytest.mark.long
def test_a_simulation_on_two_workers(containers: Containers) -> None:
    workers = [containers.start("worker") for _ in range(2)]  # nothing says that a scheduler is up first
    scheduler = containers.start("scheduler")
    for worker in workers:
        read_until(worker, "1 worker for tcp://")
    words = ["stud", "tight", "caller", "--deals", "3000", "--json"]
    shared = see_out(containers.start("simulate", run=words))
    alone = subprocess.run(
        [str(Path(sys.executable).parent / "casino"), "simulate", *words], check=True, capture_output=True, text=True
    )
    assert shared == alone.stdout
    for process in (*workers, scheduler):
        process.send_signal(signal.SIGTERM)
    for worker in workers:
        see_out(worker)


def test_the_image_alone_says_how_to_run_a_bot() -> None:
    image = stages(ROOT / "bots" / "Dockerfile")[-1]
    line = image.last("ENTRYPOINT").args + image.last("CMD").args
    line[0] = str(Path(sys.executable).parent / line[0])
    shown = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    assert "NAME HOST PORT" in shown


def test_up_starts_a_dealer_and_four_bots() -> None:
    assert len(BOTS) == 4
    assert SERVICES["bot"]["profiles"]
    assert "depends_on" not in json.dumps(SERVICES), "Compose would stop the bots before the dealer"


@each_service
def test_a_container_can_do_no_harm(name: str) -> None:
    service = SERVICES[name]
    assert re.fullmatch("[1-9][0-9]*:[1-9][0-9]*", service["user"])
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "no"
    assert service["pids_limit"] > 0
    known = {"user", "read_only", "tmpfs", "cap_drop", "security_opt", "restart", "pids_limit", "mem_limit", "init"}
    known |= {"stop_grace_period", "stop_signal", "networks", "build", "command", "entrypoint", "profiles"}
    known |= {"healthcheck", "volumes", "environment"}
    assert set(service) <= known, "a new key: is it harmless?"


@each_service
def test_a_container_gets_nothing_of_its_host(name: str) -> None:
    service = SERVICES[name]
    declared = compose()["volumes"]
    for volume in service.get("volumes", []):
        source, target = volume.split(":")
        assert source in declared, "only named volumes, never a folder of the host"
        assert target in {"/journals"}
    assert set(service.get("environment", {})) <= {"COLUMNS"}
    (network,) = service["networks"]
    assert network == ("cluster" if service.get("profiles") == ["cluster"] else "table")
    assert compose()["networks"][network]["internal"] is True


def test_the_health_check_looks_at_the_port_the_dealer_opens() -> None:
    line = command_line(SERVICES["dealer"])
    assert line[line.index("--port") + 1] == PORT
    assert f":{int(PORT):04X} " in " ".join(health_check(SERVICES["dealer"]))


@each_dockerfile
def test_an_image_is_pinned_small_and_runs_as_nobody_special(path: Path) -> None:
    build, image = stages(path)
    assert build.base == image.base
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+", image.base)
    users = {service["user"] for service in SERVICES.values() if dockerfile(service) == path}
    assert users == {image.last("USER").text}
    assert not image.all("COPY"), "the image has what was installed, and no sources"


@each_dockerfile
def test_all_that_is_copied_exists_and_reaches_the_builder(path: Path) -> None:
    first, *kept = [
        line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")
    ]
    assert first == "*"
    sources = [source for line in stages(path)[0].all("COPY") for source in line.args[:-1]]
    assert sources
    for source in sources:
        assert (ROOT / source).exists()
        assert f"!{source}" in kept
    assert {line.removeprefix("!") for line in kept if line.startswith("!")} == set(sources)


def test_all_images_are_built_from_the_same_sources() -> None:
    built = [[(line.word, line.text) for line in stages(path)[0].instructions] for path in DOCKERFILES]
    first, *others = [[(word, text.replace("'.[cluster,sim]'", ".")) for word, text in lines] for lines in built]
    assert all(other == first for other in others)


@pytest.mark.heavy  # downloads and installs everything the base install needs
@each_dockerfile
def test_what_the_images_are_built_with_works(path: Path, tmp_path: Path) -> None:
    build, image = stages(path)
    wheels, journals, sources = tmp_path / "wheels", tmp_path / "journals", tmp_path / "src"
    sources.mkdir()
    for copy in build.all("COPY"):
        *copied, target = copy.args
        for source in copied:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, sources / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, sources / target)

    def run(stage: Stage, folder: Path, python: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", python], check=True)
        for line in stage.all("RUN"):
            text = line.text.replace("/wheels", str(wheels)).replace("/journals", str(journals))
            if os.geteuid() != 0:  # who is not root can only give folders to oneself
                text = text.replace("-o 10001 -g 10001", f"-o {os.geteuid()} -g {os.getegid()}")
            env = {**os.environ, "PATH": f"{python / 'bin'}:{os.environ['PATH']}"}
            subprocess.run(["/bin/sh", "-c", text], check=True, cwd=folder, env=env, stdin=subprocess.DEVNULL)

    run(build, sources, tmp_path / "build-python")
    run(image, tmp_path, tmp_path / "image-python")
    casino = tmp_path / "image-python" / "bin" / "casino"
    assert "serve" in subprocess.run([casino, "--help"], check=True, capture_output=True, text=True).stdout
    simulate = ("simulate", "stud", "tight", "caller", "--deals", "10")
    subprocess.run([casino, *simulate], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    if path.parent.name == "dealer":
        assert journals.is_dir()
