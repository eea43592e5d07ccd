"""One run of the program under test: it is started here or elsewhere, connects, is talked to, and ends.

A program that is started here is a process for one connection, and stopped with everything it has started.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from dealer.checker.scoring.causes import why_no_connection
from dealer.checker.session.wire_log import LoggedWire
from dealer.errors import ProgramError
from dealer.lobby.listener import PlayerListener
from dealer.net.stalls import Stalls
from dealer.programs import HOST, Program, RunningProgram, start_program

#: Seconds after which the user is told that the program has not connected yet.
WAITING_SECONDS = 2.0


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
        program: what is started; without a command, the user starts it.
        patience: seconds the program may take to connect.
        say: tells the user what the check waits for.
    """

    listener: PlayerListener
    program: Program
    patience: float
    say: Callable[[str], None]


@dataclass(slots=True)
class ProgramRun:
    """A program that has connected.

    Attributes:
        wire: its connection.
        program: its process.
        startup: seconds it took to connect.
        stalls: times in which the checker itself did not run, which no program is charged for.
        more: connections it opened besides the first.
    """

    wire: LoggedWire
    program: RunningProgram
    startup: float
    stalls: Stalls
    more: list[LoggedWire] = field(default_factory=list)


@asynccontextmanager
async def run_program(launch: Launch) -> AsyncIterator[ProgramRun]:
    """Start the program and wait for its connection; after the block all connections are closed and it is stopped.

    Raises:
        NotConnected: (in an exception group) it cannot be started, or did not connect.
    """
    wires: list[LoggedWire] = []
    try:
        async with trio.open_nursery() as nursery:
            stalls = Stalls()
            nursery.start_soon(stalls.look_forever)
            began = stalls.clock()
            try:
                program = await start_program(launch.program, launch.listener.port, nursery, listens=True)
            except ProgramError as error:
                raise NotConnected(f"cannot run {launch.program.command[0]!r}: {error}") from None
            try:
                await _first_connection(launch, program, wires, stalls)
                run = ProgramRun(wires[0], program, stalls.clock() - began, stalls)
                nursery.start_soon(_take_more, launch.listener, run, wires)
                yield run
            finally:
                await program.stop()
                nursery.cancel_scope.cancel()
    finally:  # after the nursery, in which further connections may still be accepted
        for wire in wires:
            wire.close()


async def _first_connection(launch: Launch, program: RunningProgram, wires: list[LoggedWire], stalls: Stalls) -> None:
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

        async def watch_end() -> None:
            await program.wait()
            await stalls.sleep(WAITING_SECONDS)  # a process that it has started itself may still connect
            nursery.cancel_scope.cancel()

        nursery.start_soon(accept)
        nursery.start_soon(give_up)
        nursery.start_soon(watch_end)
    if not wires:
        raise _why_not_connected(launch, program)


def _why_not_connected(launch: Launch, program: RunningProgram) -> NotConnected:
    where, code = f"{HOST} port {launch.listener.port}", program.code
    what = f"nothing connected to {where} within {launch.patience:g} s"
    if code is not None:
        what = f"the program ended with exit code {code} before it connected to {where}"
    cause = why_no_connection(program.complained + program.printed, code) if program.here else ""
    return NotConnected(what, cause, program.last_lines)


async def _accept(listener: PlayerListener, stalls: Stalls) -> LoggedWire:
    return LoggedWire(await listener.sockets[0].accept(), listener.framing, stalls)


async def _take_more(listener: PlayerListener, run: ProgramRun, wires: list[LoggedWire]) -> None:
    """Take further connections until cancelled: the program should not make any."""
    while True:
        wire = await _accept(listener, run.stalls)
        wires.append(wire)
        run.more.append(wire)
