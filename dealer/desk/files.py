"""The files that the host takes home of each tournament: its journal so far, a report, and the grades alone.

A report may take minutes, and the tables must not notice. So it is made by a process of its own, from a copy of the
journal as it was when the host asked. Who asks is told how far it is, and asks again until it is there.
"""

import re
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, CompletedProcess
from typing import Any

import trio

from dealer.desk.orders import OrderRefused, Wanted
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament

#: Seconds for which the report of a tournament that is still played is as good as a new one.
FRESH_SECONDS = 60.0

#: Bytes of a line that tells how far a report is, at most.
LINE_BYTES = 4


@dataclass(frozen=True, slots=True)
class Ready:
    """A file that can be sent: where it is, and the name under which the host keeps it."""

    path: Path
    name: str


@dataclass(eq=False, slots=True)
class Making:
    """A report that is being made, or was.

    Attributes:
        ended: whether the tournament was over when it was begun, so that it stays true.
        since: monotonic seconds at which it was begun; those at which it was done follow in ``done``.
        share: of the journal that is read.
        folder: the report; beside it lies the packed one.
        failed: why there is none, in words.
    """

    ended: bool
    folder: Path
    since: float
    share: float = 0.0
    done: float | None = None
    failed: str | None = None

    @property
    def is_stale(self) -> bool:
        """Whether it tells too little by now."""
        return self.done is not None and not self.ended and time.monotonic() - self.done > FRESH_SECONDS

    @property
    def facts(self) -> Mapping[str, Any]:
        """The progress, for JSON."""
        return {"seconds": int(time.monotonic() - self.since), "share": round(self.share, 2)}


class Files:
    """Makes files for the host. ``open_files`` gives it a folder and a nursery.

    Args:
        scene: whose tournaments are told of.
        roster: the names of the class for the report; None if there are none.
        folder: for copies and reports.
        nursery: in which reports are made.
    """

    def __init__(self, scene: Scene, roster: Path | None, folder: Path, nursery: trio.Nursery) -> None:
        self._scene = scene
        self._roster = roster
        self.folder = folder
        self._nursery = nursery
        self._reports: dict[Tournament, Making] = {}
        self._one_at_a_time = trio.Lock()

    async def take(self, wanted: Wanted) -> Ready | Making:
        """The file if it is there; else begin to make it, or tell how far that is.

        Raises:
            OrderRefused: it cannot be made; the text says why.
        """
        tournament = self._tournament(wanted.tournament)
        journal = tournament.journal.path
        if journal is None:
            raise OrderRefused("no journal is kept (--no-journal), so there is nothing to take home")
        if not tournament.journal.size:
            raise OrderRefused("nothing is in the journal yet; ask again in a moment")
        stem = journal.stem if tournament.over else f"{journal.stem}-so-far"
        if wanted.file == "journal":
            return Ready(await self._copy(tournament), f"{stem}{journal.suffix}")
        making = self._reports.get(tournament)
        if making is None or making.is_stale:
            making = self._reports[tournament] = self._begin(tournament, stem)
        if making.failed is not None:
            del self._reports[tournament]  # the next wish tries again
            raise OrderRefused(f"the report could not be made: {making.failed}")
        if making.done is None:
            return making
        if wanted.file == "grades":
            return Ready(making.folder / "grades.csv", f"{making.folder.name}-grades.csv")
        return Ready(making.folder.with_name(f"{making.folder.name}.zip"), f"{making.folder.name}-report.zip")

    def _tournament(self, number: int | None) -> Tournament:
        begun = self._scene.begun
        if not begun:
            raise OrderRefused("the tournament has not started yet")
        if number is None:
            return begun[-1]
        if not 1 <= number <= len(begun):
            raise OrderRefused(f"there is no tournament {number}; they have the numbers 1 to {len(begun)}")
        return begun[number - 1]

    async def _copy(self, tournament: Tournament) -> Path:
        """A copy of what is written of a journal, under the name of the journal, in a folder of its own.

        Raises:
            OrderRefused: it cannot be read, or the copy cannot be written.
        """
        assert tournament.journal.path is not None
        folder = self._room()
        try:
            return await trio.to_thread.run_sync(
                _copy_beginning, tournament.journal.path, tournament.journal.size, folder
            )
        except OSError as error:
            raise OrderRefused(f"the journal cannot be copied: {error.strerror}") from None

    def _room(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.folder))

    def _begin(self, tournament: Tournament, name: str) -> Making:
        making = Making(tournament.over, self._room() / name, time.monotonic())
        self._nursery.start_soon(self._make, tournament, making)
        return making

    async def _make(self, tournament: Tournament, making: Making) -> None:
        try:
            async with self._one_at_a_time:
                journal = await self._copy(tournament)
                making.failed = await _run(journal, making, self._roster)
        except (OrderRefused, OSError) as error:
            making.failed = str(error)
        making.done = time.monotonic()


def _copy_beginning(path: Path, size: int, folder: Path) -> Path:
    """Copy the first bytes of a file: behind them there may be room for more, or a record that is half written."""
    copy = folder / path.name
    with path.open("rb") as whole, copy.open("xb") as part:
        shutil.copyfileobj(whole, part)
        part.truncate(size)
    return copy


async def _run(journal: Path, making: Making, roster: Path | None) -> str | None:
    """Make a report in a process, and note how far it is; why it failed, None if it did not."""
    words: Sequence[str] = (str(journal), str(making.folder), "" if roster is None else str(roster))
    command = [sys.executable, "-P", "-m", "dealer.report.write", *words]
    ended: CompletedProcess[bytes] | None = None

    async def run(task_status: trio.TaskStatus[trio.Process] = trio.TASK_STATUS_IGNORED) -> None:
        nonlocal ended
        ended = await trio.run_process(command, stdout=PIPE, capture_stderr=True, check=False, task_status=task_status)

    async with trio.open_nursery() as nursery:
        process: trio.Process = await nursery.start(run)
        assert process.stdout is not None
        told = b""
        async for piece in process.stdout:  # which may end in the middle of a line
            told = told[-LINE_BYTES:] + piece
            for percent in re.findall(rb"(\d+)\n", told)[-1:]:
                making.share = int(percent) / 100
    assert ended is not None
    if ended.returncode == 0:
        return None
    lines = ended.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("casino: ") if lines else f"its process ended with {ended.returncode}"


@asynccontextmanager
async def open_files(scene: Scene, roster: Path | None) -> AsyncIterator[Files]:
    """Files for the host while the block runs; reports under way are given up at its end."""
    with tempfile.TemporaryDirectory(prefix="casino-", ignore_cleanup_errors=True) as folder:
        async with trio.open_nursery() as nursery:
            yield Files(scene, roster, Path(folder), nursery)
            nursery.cancel_scope.cancel()
