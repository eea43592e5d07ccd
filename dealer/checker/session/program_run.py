"""One run of the program under test: it is started here or elsewhere, connects, is talked to, and ends.

A program that is started here is a process for one connection, and stopped with everything it has started.
"""

import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from dealer.checker.scoring.causes import why_no_connection
from dealer.checker.session.wire_log import LoggedWire
from dealer.hosting.programs import end_process, open_process
from dealer.lobby.listener import PlayerListener
from dealer.net.stalls import Stalls
from dealer.sandbox.sandbox import Sandbox

#: Seconds after which the user is told that the program has not connected yet.
WAITING_SECONDS = 2.0

#: The last lines of a program's own output that are shown.
SAID_LINES = 8

#: The last bytes of its output that are kept; a program may print without end.
SAID_BYTES = 100_000


class _Output:
    """The end of what a program writes to one of its streams."""

    def __init__(self, stream: trio.abc.ReceiveStream | None) -> None:
        assert stream is not None
        self.over = trio.Event()
        self._stream = stream
        self._data = b""
        #: Bytes written so far.
        self.size = 0

    async def collect(self) -> None:
        """Read until no process can write any more, and keep the end."""
        async with self._stream:
            async for data in self._stream:
                self._data = (self._data + data)[-SAID_BYTES:]
                self.size += len(data)
        self.over.set()

    @property
    def text(self) -> str:
        """What was kept."""
        return self._data.decode(errors="replace")

    def since(self, size: int) -> str:
        """What was kept of the bytes after the first ``size``."""
        new = self.size - size
        return self._data[-new:].decode(errors="replace") if new else ""


class Program:
    """A started program, whose output is collected in ``nursery``."""

    def __init__(self, process: trio.Process, nursery: trio.Nursery) -> None:
        self._process = process
        self._out, self._err = _Output(process.stdout), _Output(process.stderr)
        nursery.start_soon(self._out.collect)
        nursery.start_soon(self._err.collect)

    @property
    def code(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.poll()

    async def ended(self, seconds: float, stalls: Stalls) -> bool:
        """Wait for its end and the end of its output; whether both came within ``seconds``, stalls left out."""
        async with stalls.move_on_after(seconds):
            await self.wait()
        return self.code is not None

    async def wait(self) -> None:
        """Wait for its end and the end of its output, to which processes it has started may still write."""
        await self._process.wait()
        await self._out.over.wait()
        await self._err.over.wait()

    @property
    def printed(self) -> str:
        """The end of its standard output."""
        return self._out.text

    @property
    def complained(self) -> str:
        """The end of its standard error."""
        return self._err.text

    @property
    def mark(self) -> tuple[int, int]:
        """How many bytes it has written to its standard output and error so far; for ``since``."""
        return self._out.size, self._err.size

    def since(self, mark: tuple[int, int]) -> str:
        """What it has written after ``mark`` was taken."""
        return self._out.since(mark[0]) + self._err.since(mark[1])

    @property
    def last_lines(self) -> tuple[str, ...]:
        """The last lines of its standard error; of its standard output if its standard error is empty."""
        errors = [line for line in self.complained.splitlines() if line.strip()]
        printed = [line for line in self.printed.splitlines() if line.strip()]
        return tuple((errors or printed)[-SAID_LINES:])

    async def stop(self) -> None:
        """Kill it and the processes it has started, if it still runs, and wait for its end."""
        with trio.CancelScope(shield=True):
            await end_process(self._process)


class NotConnected(Exception):
    """The program did not connect.

    Attributes:
        cause: what that usually comes from; empty if it is not recognised.
        said: the last lines of its output.
    """

    def __init__(self, what: str, cause: str = "", said: Sequence[str] = ()) -> None:
        super().__init__(what)
        self.cause = cause
        self.said = tuple(said)


@dataclass(frozen=True, slots=True)
class Launch:
    """How the program is started, and where it must connect.

    Attributes:
        listener: the open port.
        host: its address, as the program is told.
        command: the command that starts the program; None if the user starts it elsewhere.
        patience: seconds the program may take to connect.
        say: tells the user what the check waits for.
        sandbox: in which the program runs; None if it may do what the user may.
    """

    listener: PlayerListener
    host: str
    command: Sequence[str] | None
    patience: float
    say: Callable[[str], None]
    sandbox: Sandbox | None = None


@dataclass(slots=True)
class ProgramRun:
    """A program that has connected.

    Attributes:
        wire: its connection.
        program: its process; None if it was started elsewhere.
        startup: seconds it took to connect.
        stalls: times in which the checker itself did not run, which no program is charged for.
        more: connections it opened besides the first.
    """

    wire: LoggedWire
    program: Program | None
    startup: float
    stalls: Stalls
    more: list[LoggedWire] = field(default_factory=list)

    @property
    def last_lines(self) -> tuple[str, ...]:
        """The last lines of the program's output; see ``Program.last_lines``."""
        return () if self.program is None else self.program.last_lines


@asynccontextmanager
async def run_program(launch: Launch) -> AsyncIterator[ProgramRun]:
    """Start the program and wait for its connection; after the block all connections are closed and it is stopped.

    Raises:
        NotConnected: (in an exception group) it did not connect.
    """
    wires: list[LoggedWire] = []
    try:
        async with trio.open_nursery() as nursery:
            stalls = Stalls()
            nursery.start_soon(stalls.look_forever)
            began = stalls.clock()
            program = await _start(launch, nursery)
            try:
                await _first_connection(launch, program, wires, stalls)
                run = ProgramRun(wires[0], program, stalls.clock() - began, stalls)
                nursery.start_soon(_take_more, launch.listener, run, wires)
                yield run
            finally:
                if program is not None:
                    await program.stop()
                nursery.cancel_scope.cancel()
    finally:  # after the nursery, in which further connections may still be accepted
        for wire in wires:
            wire.close()


async def _start(launch: Launch, nursery: trio.Nursery) -> Program | None:
    """Start the program, unless the user does.

    Raises:
        NotConnected: it cannot be started.
    """
    if launch.command is None:
        return None
    port, pipe = launch.listener.port, subprocess.PIPE
    try:
        process = await open_process(launch.command, launch.host, port, launch.sandbox, pipe, pipe)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NotConnected(f"cannot run {launch.command[0]!r}: {reason}") from None
    return Program(process, nursery)


async def _first_connection(launch: Launch, program: Program | None, wires: list[LoggedWire], stalls: Stalls) -> None:
    """Wait for the first connection and put it into ``wires``, which the caller closes in any case.

    Raises:
        NotConnected: the program ended, or the patience did, before it connected.
    """
    async with trio.open_nursery() as nursery:

        async def accept() -> None:
            wires.append(await _accept(launch.listener, stalls))
            nursery.cancel_scope.cancel()

        async def give_up() -> None:
            await stalls.sleep(min(WAITING_SECONDS, launch.patience))
            launch.say("waiting for the program to connect")
            await stalls.sleep(max(0.0, launch.patience - WAITING_SECONDS))
            nursery.cancel_scope.cancel()

        async def watch_end(program: Program) -> None:
            await program.wait()
            await stalls.sleep(WAITING_SECONDS)  # a process that it has started itself may still connect
            nursery.cancel_scope.cancel()

        nursery.start_soon(accept)
        nursery.start_soon(give_up)
        if program is not None:
            nursery.start_soon(watch_end, program)
    if not wires:
        raise _why_not_connected(launch, program)


def _why_not_connected(launch: Launch, program: Program | None) -> NotConnected:
    where = f"{launch.host} port {launch.listener.port}"
    if program is None or program.code is None:
        said = () if program is None else program.last_lines
        cause = "" if program is None else why_no_connection(program.complained + program.printed, None)
        return NotConnected(f"nothing connected to {where} within {launch.patience:g} s", cause, said)
    cause = why_no_connection(program.complained + program.printed, program.code)
    return NotConnected(
        f"the program ended with exit code {program.code} before it connected to {where}", cause, program.last_lines
    )


async def _accept(listener: PlayerListener, stalls: Stalls) -> LoggedWire:
    return LoggedWire(await listener.sockets[0].accept(), listener.framing, stalls)


async def _take_more(listener: PlayerListener, run: ProgramRun, wires: list[LoggedWire]) -> None:
    """Take further connections until cancelled: the program should not make any."""
    while True:
        wire = await _accept(listener, run.stalls)
        wires.append(wire)
        run.more.append(wire)
