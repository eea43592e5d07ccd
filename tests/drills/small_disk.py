"""A disk that has no room left for a journal, until a test makes some."""

import os
import resource
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.casino import Running, casino

DISK_BYTES = 64 * 1024
#: What is free before the tournament.
ROOM_BYTES = 16 * 1024


class SmallDisk(ABC):
    """Where a journal may grow by ``ROOM_BYTES``.

    Attributes:
        folder: for the journal.
        refusal: what the system says when there is no room.
    """

    refusal: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def command(self, *words: str | Path) -> list[str]:
        """The command line of a dealer on this disk."""

    @abstractmethod
    def make_room(self, running: Running) -> None:
        """From now on the journal fits."""


class FullDisk(SmallDisk):
    """A file system in memory, nearly all of which a big file takes."""

    refusal = "No space left on device"

    def command(self, *words: str | Path) -> list[str]:
        return casino(*words)

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self) -> None:
        self._ballast.write_bytes(bytes(DISK_BYTES - ROOM_BYTES))

    def make_room(self, running: Running) -> None:
        self._ballast.unlink()


class SmallFiles(SmallDisk):
    """Any file system, and a dealer whose files may not be larger: for who is not allowed to mount anything."""

    refusal = "File too large"

    def command(self, *words: str | Path) -> list[str]:
        limit = ROOM_BYTES // 512
        return ["sh", "-c", f'ulimit -S -f {limit}; exec "$@"', "sh", *casino(*words)]

    def make_room(self, running: Running) -> None:
        _, most = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (most, most))


@contextmanager
def full_disk(folder: Path) -> Iterator[SmallDisk]:
    """A full disk; the test is skipped where none can be mounted."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a small disk; the limit of file sizes is tried instead")
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, check=False, text=True)
    if mounted.returncode:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    try:
        disk = FullDisk(folder)
        disk.fill()
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def small_files(folder: Path) -> Iterator[SmallDisk]:
    """A folder for a dealer that may not write large files; the test is skipped where there are no such limits."""
    if sys.platform != "linux":
        pytest.skip("only Linux changes the limits of another process")
    folder.mkdir()
    yield SmallFiles(folder)
