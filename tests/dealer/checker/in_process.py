"""Check the programs of ``tests/bad_bots`` without processes, sockets and waiting: fifty whole checks take seconds.

A program runs in a greenlet: a read that must wait returns to the checker, which goes on when it has sent something.
The clock is trio's mock clock, so a program that sleeps, or is silent, costs no time.
"""

import socket
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import greenlet
import trio
from trio.testing import MockClock

from dealer.checker.cases.game_cases import GameCases, find_cases
from dealer.checker.check import NO_OPTIONS, parts_for
from dealer.checker.check_flags import CheckFlags
from dealer.checker.output.check_report import Results
from dealer.checker.scoring.causes import why_no_connection
from dealer.checker.scoring.verdict import judge
from dealer.checker.session.examiner import Examiner
from dealer.checker.session.program_run import NotConnected, ProgramRun
from dealer.checker.session.wire_log import Entry, LoggedWire
from dealer.net.stalls import Stalls
from dealer.programs import SAID_BYTES, SAID_LINES, RunningProgram
from protocol.wire.framing import UtfFraming
from tests.bad_bots import programs

#: Seconds a program may take to connect.
PATIENCE = 30.0

#: Makes a program from an address and a port.
Make = Callable[[str, str], programs.Good]


class _Socket:
    """The program's end of a connection, as far as the programs use sockets."""

    def __init__(self, coroutine: "Coroutine") -> None:
        self.coroutine = coroutine
        self.incoming, self.outgoing = b"", b""
        self.closed = self.dealer_closed = False
        self.changed = trio.Event()

    def setsockopt(self, *_: object) -> None:
        pass

    def makefile(self, _mode: str) -> "_Socket":
        return self

    def read(self, length: int) -> bytes:
        while len(self.incoming) < length and not self.dealer_closed:
            self.coroutine.wait_for(self)
        data, self.incoming = self.incoming[:length], self.incoming[length:]
        return data

    def sendall(self, data: bytes) -> None:
        self.outgoing += data
        self._wake()

    def shutdown(self, _how: int) -> None:
        self.close()

    def close(self) -> None:
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self.changed.set()
        self.changed = trio.Event()


class _Stream:
    """The checker's end of a connection, with what ``LoggedWire`` uses of a stream."""

    def __init__(self, peer: _Socket) -> None:
        self._peer = peer
        self.socket = SimpleNamespace(is_readable=lambda: bool(peer.outgoing) or peer.closed, close=self._close)

    def _close(self) -> None:
        self._peer.dealer_closed = True
        self._peer.coroutine.go_on(self._peer)

    async def send_all(self, data: bytes) -> None:
        if self._peer.closed:
            raise trio.BrokenResourceError
        self._peer.incoming += data
        self._peer.coroutine.go_on(self._peer)

    async def receive_some(self, _: int) -> bytes:
        peer = self._peer
        while not peer.outgoing and not peer.closed:
            await peer.changed.wait()
        data, peer.outgoing = peer.outgoing, b""
        return data


class _Running(greenlet.greenlet):
    program: "Coroutine"


class _Output:
    """The end of what a program prints to one of its streams, as ``RunningProgram`` keeps it."""

    def __init__(self) -> None:
        self.text, self.size = "", 0

    def write(self, text: str) -> None:
        self.text = (self.text + text)[-SAID_BYTES:]
        self.size += len(text)

    def since(self, size: int) -> str:
        new = self.size - size
        return self.text[-new:] if new else ""


class Coroutine:
    """A program in a greenlet, with what the checker uses of a process."""

    here = True

    def __init__(self, make: Make, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self._greenlet = _Running(partial(self._play, make))
        self._greenlet.program = self
        self._parent = greenlet.getcurrent()
        self._waits: _Socket | None = None
        self._over = trio.Event()
        self._out, self._err = _Output(), _Output()
        self.sockets: list[_Socket] = []
        self.connected = trio.Event()
        self.code: int | None = None

    def start(self) -> None:
        self._switch()

    def go_on(self, socket: _Socket) -> None:
        """Let the program run until it waits again, if it waits for this connection."""
        if self._waits is socket:
            self._waits = None
            self._switch()

    def stop(self) -> None:
        if not self._greenlet.dead:
            self._greenlet.throw()

    def _switch(self) -> None:
        self._greenlet.switch()
        if self._greenlet.dead:
            for socket in self.sockets:
                socket.close()
            self._over.set()

    def _play(self, make: Make) -> None:
        code = 1
        try:
            make("127.0.0.1", "4000").play()
            code = 0
        except SystemExit as error:
            code = int(bool(error.code))
            self._err.write(f"{error.code}\n" if code else "")
        except Exception:  # noqa: BLE001 - what a process prints at its end
            self._err.write(traceback.format_exc())
        self.code = code

    # What follows is called by the program.

    def wait_for(self, socket: _Socket) -> None:
        self._waits = socket
        self._parent.switch()

    def connect(self) -> _Socket:
        self.sockets.append(_Socket(self))
        self.connected.set()
        return self.sockets[-1]

    def sleep(self, seconds: float) -> None:
        self._nursery.start_soon(self._sleep, seconds)
        self._parent.switch()

    async def _sleep(self, seconds: float) -> None:
        await trio.sleep(seconds)
        self._switch()

    def print(self, *words: object, errors: bool) -> None:
        (self._err if errors else self._out).write(" ".join(map(str, words)) + "\n")

    # What follows is what the checker uses of ``RunningProgram``.

    @property
    def printed(self) -> str:
        return self._out.text

    @property
    def complained(self) -> str:
        return self._err.text

    @property
    def last_lines(self) -> tuple[str, ...]:
        said = [line for line in (self.complained or self.printed).splitlines() if line.strip()]
        return tuple(said[-SAID_LINES:])

    @property
    def mark(self) -> tuple[int, int]:
        return self._out.size, self._err.size

    def since(self, mark: tuple[int, int]) -> str:
        return self._out.since(mark[0]) + self._err.since(mark[1])

    async def ended(self, seconds: float, _stalls: Stalls) -> bool:
        with trio.move_on_after(seconds):
            await self._over.wait()
        return self._over.is_set()


def _here() -> Coroutine:
    running = greenlet.getcurrent()
    assert isinstance(running, _Running)
    return running.program


def _print(*words: object, file: object = None, **_: object) -> None:
    _here().print(*words, errors=file is not None)


@contextmanager
def _patched(arguments: list[str]) -> Iterator[None]:
    """The module of the programs with sockets, sleep and print that lead to the checker."""

    def connect(*_: object) -> _Socket:
        return _here().connect()

    names = {
        "socket": SimpleNamespace(
            create_connection=connect, IPPROTO_TCP=6, TCP_NODELAY=1, SHUT_WR=1, SHUT_RDWR=2, socket=socket.socket
        ),
        "time": SimpleNamespace(sleep=lambda seconds: _here().sleep(seconds)),
        "sys": SimpleNamespace(argv=["programs.py", "", "", "", *arguments], exit=sys.exit, stderr=sys.stderr),
        "print": _print,
    }
    with ExitStack() as stack:
        for name, value in names.items():
            stack.enter_context(patch.object(programs, name, value, create=True))
        yield


@asynccontextmanager
async def _run(make: Make) -> AsyncIterator[ProgramRun]:
    """Run a program for one connection; see ``run_program``."""
    async with trio.open_nursery() as nursery:
        stalls = Stalls()
        nursery.start_soon(stalls.look_forever)
        program = Coroutine(make, nursery)
        program.start()
        with trio.move_on_after(PATIENCE):
            while not program.sockets and program.code is None:
                await program.connected.wait()
        if not program.sockets:
            nursery.cancel_scope.cancel()
            output = program.complained + program.printed
            raise NotConnected("it did not connect", why_no_connection(output, program.code), program.last_lines)
        try:
            wires = [_wire(peer, stalls) for peer in program.sockets]
            run = ProgramRun(wires[0], cast(RunningProgram, program), 0.0, stalls, wires[1:])
            nursery.start_soon(_connect_more, program, run)
            yield run
        finally:
            program.stop()
            nursery.cancel_scope.cancel()


def _wire(peer: _Socket, stalls: Stalls) -> LoggedWire:
    return LoggedWire(cast(trio.SocketStream, _Stream(peer)), UtfFraming(), stalls)


async def _connect_more(program: Coroutine, run: ProgramRun) -> None:
    """Hand over the connections that the program makes later."""
    while True:
        known = 1 + len(run.more)
        for peer in program.sockets[known:]:
            run.more.append(_wire(peer, run.stalls))
        await trio.sleep(0.05)


@dataclass(frozen=True)
class Checked:
    """A check that is over, with the connections as they go into a transcript."""

    results: Results
    tapes: list[tuple[str, list[Entry]]]


def checked(
    make: Make,
    seed: str,
    *arguments: str,
    hands: int = 200,
    limit: float = 1.0,
    game: str = "stud",
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Checked:
    """Check a program of ``tests/bad_bots`` with all that ``casino check`` asks about a game."""
    flags = CheckFlags(seed=seed, hands=hands, limit=limit)
    return trio.run(_checked, make, flags, list(arguments), game, options, clock=MockClock(autojump_threshold=0))


async def _checked(
    make: Make, flags: CheckFlags, arguments: list[str], game: str, options: Mapping[str, Any]
) -> Checked:
    cases: GameCases = find_cases(game)
    examiner = Examiner(lambda: _run(make), cases, flags.limit, lambda *_: None)
    with _patched(arguments):
        await examiner.examine(parts_for(cases, game, options, flags))
    verdict = judge(examiner.findings, cases.rubric)
    return Checked(Results(game, "", flags.seed, 100.0, examiner.findings, verdict), examiner.tapes)
