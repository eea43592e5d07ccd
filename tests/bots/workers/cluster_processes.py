"""A real scheduler and real workers, as processes of this machine."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Timer
from types import MappingProxyType

import psutil

from tests.drills.rooms import Room
from tests.end_to_end.casino import ENVIRONMENT, casino
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
