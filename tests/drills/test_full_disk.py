"""The disk of the journal is full while a tournament plays: play waits for room, and nobody loses anything."""

import os
import resource
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest
import trio

from tests.dealer.support.rig import Client, good_clients
from tests.drills.surviving import check_chips_and_numbers, examine
from tests.end_to_end.casino import Running, casino, run, start

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


AGREED = ("--hands", "150", "--stack", "100000", "--limit", "30", "--seed", "disk drill")
DOORS = ("--host", "127.0.0.1", "--port", "0", "--line-port", "0", "--seats", "3")
WAITS = "No more hands for now: "


@pytest.fixture(params=[full_disk, small_files], ids=["full disk", "small files"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SmallDisk]:
    make: Callable[[Path], AbstractContextManager[SmallDisk]] = request.param
    with make(tmp_path / "disk") as small:
        yield small


@asynccontextmanager
async def waiting_for_room(disk: SmallDisk) -> AsyncIterator[tuple[Running, list[Client], int]]:
    """A hosted tournament whose disk has just become full, its players, and its port."""
    clients = good_clients(3)
    command = disk.command("serve", "stud", "--no-page", *DOORS, *AGREED, "--journal", disk.folder / "j")
    async with start(command=command, stdin=subprocess.DEVNULL) as running:
        port = await running.port()
        async with trio.open_nursery() as nursery:
            for client in clients:
                nursery.start_soon(play, client, port)
            line = await running.line_with(WAITS)
            assert line == (
                f"{WAITS}the journal cannot be written ({disk.refusal}). Everybody keeps seat and chips; "
                f"make room for {disk.folder / 'j'}, and play goes on by itself."
            )
            yield running, clients, port
            nursery.cancel_scope.cancel()


async def play(client: Client, port: int) -> None:
    """Play as long as the dealer does; what the client heard last says whether that was to the end."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        with suppress(AssertionError, trio.BrokenResourceError):
            await client.play(stream)


async def check_whole(disk: SmallDisk) -> None:
    """The journal is whole, and says of every hand what it should."""
    outcome = await run("verify", disk.folder / "j")
    assert (outcome.code, outcome.complaint) == (0, [])
    check_chips_and_numbers(examine(disk.folder / "j"))


async def test_play_waits_for_room_and_goes_on_by_itself(disk: SmallDisk) -> None:
    async with waiting_for_room(disk) as (running, clients, port):
        recorded = examine(disk.folder / "j").counts["hand"]
        assert all(len(client.statuses) <= recorded < 150 for client in clients)
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            late = b"".join([bytes(data) async for data in stream])
        assert late[2:].decode() == (
            f"done:the tournament waits, because the journal cannot be written ({disk.refusal}); "
            "come back for the next one"
        )
        assert examine(disk.folder / "j").counts["hand"] == recorded
        disk.make_room(running)
        await running.line_with("The journal can be written again; play goes on.")
        print(f"{recorded} of 150 hands until the disk was full")
        outcome = await running.ended()
    assert outcome.code == 0
    assert outcome.out.count(WAITS) == 1
    assert outcome.err.count('event="journal refused"') == 1
    assert "event=fault" not in outcome.err
    assert [len(client.statuses) for client in clients] == [150] * 3
    assert all(client.done and client.done.startswith("the tournament is over") for client in clients)
    await check_whole(disk)
    evidence = examine(disk.folder / "j")
    assert [hand.number for hand in evidence.hands] == list(range(1, 151))
    assert (evidence.rebuild.ended, evidence.counts["out"]) == (True, 0)


async def test_a_league_waits_for_room_too(disk: SmallDisk) -> None:
    journal = disk.folder / "j"
    command = disk.command("league", "stud", "caller", "tight", "pair-or-fold", *AGREED, "--journal", journal)
    async with start(command=command) as running:
        await running.complaint_with(WAITS)
        disk.make_room(running)
        outcome = await running.ended()
    assert outcome.code == 0
    assert (outcome.err.count(WAITS), outcome.err.count("play goes on.")) == (1, 1)
    assert "event=fault" not in outcome.err
    await check_whole(disk)
    assert [hand.number for hand in examine(journal).hands] == list(range(1, 151))


async def test_interrupt_on_full_disk_ends_once_there_is_room(disk: SmallDisk) -> None:
    async with waiting_for_room(disk) as (running, clients, _):
        recorded = examine(disk.folder / "j").counts["hand"]
        running.process.send_signal(signal.SIGINT)
        await running.line_with("Stopping as soon as the journal can be written; interrupt again to stop at once.")
        disk.make_room(running)
        outcome = await running.ended()
    assert outcome.code == 0
    assert [len(client.statuses) for client in clients] == [recorded + 1] * 3
    await check_whole(disk)
    assert examine(disk.folder / "j").rebuild.ended


async def test_second_interrupt_on_full_disk_says_what_is_lost(disk: SmallDisk) -> None:
    journal = disk.folder / "j"
    async with waiting_for_room(disk) as (running, clients, _):
        running.process.send_signal(signal.SIGINT)
        await running.line_with("interrupt again")
        running.process.send_signal(signal.SIGINT)
        outcome = await running.ended()
    assert outcome.code == 130
    assert outcome.complaint[-1] == (
        f"casino: the last records could not be written to {journal}: "
        f"the journal cannot be written ({disk.refusal}); all before them is there and counts"
    )
    assert "Standings" in outcome.out
    assert f"stopped in the middle; play on with: casino resume {journal}" in outcome.out
    assert "the same cards again" not in outcome.out
    await check_whole(disk)
    recorded = examine(journal).counts["hand"]
    assert f"\n{recorded} hands\n" in outcome.out
    assert all(len(client.statuses) <= recorded for client in clients)
