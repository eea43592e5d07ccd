"""One measurement: a server under load for some seconds, and the processor time that each decision took."""

import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, Literal

import psutil
import trio

from dealer.desk.desk import open_desk
from dealer.errors import CasinoError
from dealer.feed.port import open_feed
from dealer.hosting.page_process import open_page
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.lobby.listener import accept_players, open_listener
from dealer.net.admission import Admission
from dealer.net.limits import Limits
from dealer.net.ports import ACPC, FRAMES
from dealer.net.stalls import SWEEP_SECONDS
from dealer.net.watchdog import open_watchdog
from dealer.settings import AcpcTerms, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.web.serving import PagePlace
from protocol.games.registry import load_game
from protocol.wire.framing import Framing, UtfFraming

#: What a program speaks: the project's own text, or the protocol of the Annual Computer Poker Competition (ACPC).
Door = Literal["text", "acpc"]

#: The position to act in a heads-up hand in which everybody calls, by the betting so far: the button (1) acts first
#: before the flop, the other seat (0) on later streets. A hand that is over is not in it.
ACPC_TO_ACT = {
    b"": b"1",
    b"c": b"0",
    b"cc/": b"0",
    b"cc/c": b"1",
    b"cc/cc/": b"0",
    b"cc/cc/c": b"1",
    b"cc/cc/cc/": b"0",
    b"cc/cc/cc/c": b"1",
}


class _TextClient:
    """One connection to the server by the text protocol, and its unread input."""

    def __init__(self, sock: socket.socket, number: int, framing: Framing) -> None:
        self.sock = sock
        self._name = framing.encode(f"bench-{number}:Bench {number}")
        self._framing = framing
        self._buffer = b""

    def answer(self, data: bytes) -> None:
        """Answer every question in the input."""
        self._buffer += data
        while True:
            body, self._buffer = self._framing.split(self._buffer)
            if body is None:
                return
            # Taken apart by hand: a client that decodes messages properly would cost more than the server measured.
            if body.startswith(b"bet"):
                self.sock.sendall(self._framing.encode("bet:" + body.split(b":", 4)[3].decode()))
            elif body == b"login":
                self.sock.sendall(self._name)


class _AcpcClient:
    """One connection to the server by the protocol of the ACPC, heads-up, and its unread input."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._buffer = b""
        sock.sendall(b"VERSION:2.0.0\r\n")

    def answer(self, data: bytes) -> None:
        """Answer the match states in the input that ask for it."""
        *lines, self._buffer = (self._buffer + data).split(b"\r\n")
        for line in lines:
            if line.startswith(b"MATCHSTATE"):  # the last line is a comment
                _, position, _, betting, _ = line.split(b":")
                if ACPC_TO_ACT.get(betting) == position:
                    self.sock.sendall(line + b":c\r\n")


def main(host: str, port: int, count: int, door: str) -> None:
    """Connect ``count`` times and answer until every connection has ended; ``door`` is a ``Door``."""
    selector = selectors.DefaultSelector()
    for number in range(count):
        sock = socket.create_connection((host, port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client = _AcpcClient(sock) if door == "acpc" else _TextClient(sock, number, UtfFraming())
        selector.register(sock, selectors.EVENT_READ, client)
    while selector.get_map():
        for key, _ in selector.select():
            data = _received(key.data.sock)
            key.data.answer(data)
            if not data:
                selector.unregister(key.fileobj)
                key.data.sock.close()


def _received(sock: socket.socket) -> bytes:
    """Read what there is; nothing at the end of the connection."""
    try:
        return sock.recv(65536)
    except ConnectionError:  # the echo ends its connections without a message
        return b""


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])


HOST = "127.0.0.1"

#: Seconds until an answer is late.
LIMIT = 30.0

#: Seconds of play before a measurement begins.
WARM_UP_SECONDS = 0.3
#: How often a sample is made longer in which no decision was made.
MOST_TRIES = 10

#: Chips of each player, so many that none is ever out.
STACK = 10**9

#: The question of the echo, as long as the dealer's, with its length in front as in writeUTF.
QUESTION = b"\x00\x2bbet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C:4H"


@dataclass(frozen=True, slots=True)
class Load:
    """A number of connections, spread evenly over tables.

    Attributes:
        name: for people.
        connections: of clients, which always check or call.
        tables: at which they sit.
        game: what the dealer plays, by name.
        options: of the game, beside the stack.
        door: what the clients speak to the dealer. Those of the ACPC sit heads-up at fixed limit.
    """

    name: str
    connections: int
    tables: int
    game: str = "stud"
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    door: Door = "text"


@dataclass(frozen=True, slots=True)
class Sample:
    """Decisions a second of wall time, and microseconds of processor time for each: the server's, and the page's."""

    decisions_per_second: float
    cpu_microseconds: float
    page_microseconds: float = 0.0


async def measure_dealer(
    load: Load, seconds: float, *, viewers: int | None = None, keeps_journal: bool = True
) -> Sample:
    """Measure the real dealer: rules, clock, and a journal.

    Args:
        load: connections and tables.
        seconds: how long to measure.
        viewers: browsers that watch its page; None for no page.
        keeps_journal: whether hands are written; a league keeps no journal unless it is told to.
    """
    terms = AcpcTerms(limit=LIMIT) if load.door == "acpc" else None
    settings = Settings(
        bytes(32),
        hands=sys.maxsize,
        game=load_game(load.game)(stack=STACK, **load.options),
        table_size=-(-load.connections // load.tables),
        limit=LIMIT,
        acpc=terms,
    )
    opening = NewTournament(settings, load.connections)
    lobby, scene = opening.lobby, Scene(opening)
    admission = Admission(Limits(per_address=load.connections, connects=load.connections))
    with tempfile.TemporaryDirectory() as folder:
        file = AppendFile.create(Path(folder, "bench.journal")) if keeps_journal else None
        async with open_journal(file) as journal, open_watchdog() as watchdog, trio.open_nursery() as nursery:
            listener = await open_listener(HOST, 0, LIMIT, FRAMES if terms is None else ACPC, acpc=terms)
            nursery.start_soon(accept_players, listener, lobby, watchdog, admission)
            async with _clients(listener.port, load.connections, load.door):
                while len(lobby.players) < load.connections:
                    await lobby.changed()
                scene.journal = journal
                scene.tournament = tournament = opening.begin(journal, lobby.players, None)
                async with _watched(scene, journal, viewers) as page, trio.open_nursery() as playing:
                    playing.start_soon(tournament.run)
                    sample = await _sample(lambda: tournament.decisions, seconds, page)
                    tournament.stop_after_hand()
            nursery.cancel_scope.cancel()
    return sample


async def measure_echo(load: Load, seconds: float) -> Sample:
    """Measure a bare echo: raw sockets and one watchdog; each table puts a fixed question to its seats in turn.

    It is the least that a trio server with deadlines does for a decision, if it waits for each reply. So the ratio to
    it is what rules, protocol and journal cost, less the waits that the dealer saves; see ``Seat``.
    """
    counts = [0] * load.tables
    deadlines: dict[socket.socket, float] = {}

    async def table(number: int, socks: Sequence[socket.socket]) -> None:
        while True:
            for sock in socks:
                sock.send(QUESTION)
                deadlines[sock] = trio.current_time() + 1
                await trio.lowlevel.wait_readable(sock)
                sock.recv(4096)
                deadlines[sock] = inf
                counts[number] += 1

    async def watchdog() -> None:
        while True:
            await trio.sleep(SWEEP_SECONDS)
            now = trio.current_time()
            for sock, deadline in deadlines.items():
                if now > deadline:
                    trio.lowlevel.notify_closing(sock)

    with socket.create_server((HOST, 0), backlog=load.connections) as listener, ExitStack() as opened:
        async with _clients(listener.getsockname()[1], load.connections, "text"):
            socks = [opened.enter_context(listener.accept()[0]) for _ in range(load.connections)]
            for sock in socks:
                sock.setblocking(False)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watchdog)
                for number in range(load.tables):
                    nursery.start_soon(table, number, socks[number :: load.tables])
                sample = await _sample(lambda: sum(counts), seconds)
                nursery.cancel_scope.cancel()
    return sample


async def _sample(decisions: Callable[[], int], seconds: float, page: psutil.Process | None = None) -> Sample:
    """Count decisions and processor time for some seconds, after the warm-up.

    It goes on for as long again while there are none: a disk that writes much else may hold up a hand for a second.

    Raises:
        CasinoError: there is none in ``MOST_TRIES`` times as long.
    """
    await trio.sleep(WARM_UP_SECONDS)
    wall, cpu, of_page, before = time.perf_counter(), time.process_time(), _used(page), decisions()
    for _ in range(MOST_TRIES):
        await trio.sleep(seconds)
        if made := decisions() - before:
            break
    else:
        raise CasinoError(f"no decision was made in {MOST_TRIES * seconds:g} s; is the disk or the processor too busy?")
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Sample(made / wall, cpu / made * 1e6, (_used(page) - of_page) / made * 1e6)


def _used(process: psutil.Process | None) -> float:
    """Seconds of processor time that a process has used; 0 for None."""
    return 0.0 if process is None else sum(process.cpu_times()[:2])


@asynccontextmanager
async def _watched(scene: Scene, journal: Journal, viewers: int | None) -> AsyncIterator[psutil.Process | None]:
    """Serve the page to so many viewers while the block runs; yields its process, or None for no page.

    Raises:
        CasinoError: a viewer was refused; what the page said is on standard error.
    """
    if viewers is None:
        yield None
        return
    async with (
        open_desk(scene, None) as desk,
        open_feed(scene, HOST, None, desk) as feed,
        feed.feed.telling(journal),
        open_page(scene, PagePlace(HOST, 0), print, feed, desk),
    ):
        words = (HOST, str(scene.page_port), str(viewers or 1))
        async with _process("dealer.bench.viewers", *words, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            if not await process.stdout.receive_some():  # it writes a line when all of them watch
                raise CasinoError(f"the page refused one of {viewers} viewers")
            if not viewers:  # the one that came only saw that the page is served
                process.kill()
                await process.wait()
            yield next(one for one in psutil.Process().children() if "dealer.web.own_process" in one.cmdline())


@asynccontextmanager
async def _clients(port: int, count: int, door: Door) -> AsyncIterator[None]:
    """Run a process with ``count`` clients, which is killed when the block ends."""
    async with _process("dealer.bench.measure", HOST, str(port), str(count), door):
        yield


@asynccontextmanager
async def _process(module: str, *words: str, stdout: int | None = None) -> AsyncIterator[trio.Process]:
    """Run a module of this package in a process, which is killed when the block ends."""
    command = (sys.executable, "-P", "-m", module, *words)
    process = await trio.lowlevel.open_process(command, stdin=subprocess.DEVNULL, stdout=stdout)
    try:
        yield process
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


@contextmanager
def on_one_core() -> Iterator[bool]:
    """Keep this process and those it starts on one core while the block runs; False if the system does not allow it."""
    if sys.platform != "linux":
        yield False
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield True
    finally:
        os.sched_setaffinity(0, before)
