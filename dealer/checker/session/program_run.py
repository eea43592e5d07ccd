"""One connection: the program is started (or somebody elsewhere starts it), comes, is talked to, and goes."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from dealer.checker.scoring.causes import why_no_connection
from dealer.checker.session.program import CannotStart, Program, start_program
from dealer.checker.session.wire_log import Wire
from dealer.lobby.listener import PlayerListener

WAITING_SECONDS = 2.0
"""After which whoever watches is told that the program has not come yet."""


class NotConnected(Exception):
    """The program did not come.

    Attributes:
        cause: what that usually comes from, where it is recognised.
        said: the last lines of its output.
    """

    def __init__(self, what: str, cause: str = "", said: Sequence[str] = ()) -> None:
        super().__init__(what)
        self.cause = cause
        self.said = tuple(said)


@dataclass(frozen=True, slots=True)
class Host:
    """Where programs are expected, and how they get there.

    Attributes:
        listener: the open port.
        host: its address, as the program is told.
        command: that starts the program; None where somebody else starts it.
        patience: seconds a program may take to connect.
        say: tells whoever watches what is waited for.
    """

    listener: PlayerListener
    host: str
    command: Sequence[str] | None
    patience: float
    say: Callable[[str], None]


@dataclass(slots=True)
class Visit:
    """A program that has come.

    Attributes:
        wire: its connection.
        program: its process; None where somebody else has started it.
        startup: seconds it took to connect.
        more: connections it opened beside the first.
    """

    wire: Wire
    program: Program | None
    startup: float
    more: list[Wire] = field(default_factory=list)

    @property
    def last_lines(self) -> tuple[str, ...]:
        """See ``Program.last_lines``."""
        return () if self.program is None else self.program.last_lines


@asynccontextmanager
async def open_visit(host: Host) -> AsyncIterator[Visit]:
    """Bring the program in; at the end of the block its connections are closed, and it is stopped.

    Raises:
        NotConnected: (in a group) it did not come.
    """
    began = trio.current_time()
    wires: list[Wire] = []
    try:
        async with trio.open_nursery() as nursery:
            program = await _start(host, nursery)
            try:
                await _arrival(host, program, wires)
                visit = Visit(wires[0], program, trio.current_time() - began)
                nursery.start_soon(_take_more, host.listener, visit, wires)
                yield visit
            finally:
                if program is not None:
                    await program.stop()
                nursery.cancel_scope.cancel()
    finally:  # behind the nursery, in which more of them may still arrive
        for wire in wires:
            wire.close()


async def _start(host: Host, nursery: trio.Nursery) -> Program | None:
    if host.command is None:
        return None
    try:
        return await start_program(host.command, host.host, host.listener.port, nursery)
    except CannotStart as error:
        raise NotConnected(str(error)) from None


async def _arrival(host: Host, program: Program | None, wires: list[Wire]) -> None:
    """Put the first connection into ``wires``, where it is closed whatever happens.

    Raises:
        NotConnected: the program's end, or the end of our patience, came before it.
    """
    async with trio.open_nursery() as nursery:

        async def accept() -> None:
            wires.append(await _accept(host.listener))
            nursery.cancel_scope.cancel()

        async def lose_patience() -> None:
            await trio.sleep(min(WAITING_SECONDS, host.patience))
            host.say("waiting for the program to connect")
            await trio.sleep(max(0.0, host.patience - WAITING_SECONDS))
            nursery.cancel_scope.cancel()

        async def see_it_end(program: Program) -> None:
            await program.wait()
            await trio.sleep(WAITING_SECONDS)  # what it has started itself may still be coming
            nursery.cancel_scope.cancel()

        nursery.start_soon(accept)
        nursery.start_soon(lose_patience)
        if program is not None:
            nursery.start_soon(see_it_end, program)
    if not wires:
        raise _why_nobody_came(host, program)


def _why_nobody_came(host: Host, program: Program | None) -> NotConnected:
    where = f"{host.host} port {host.listener.port}"
    if program is None or program.code is None:
        said = () if program is None else program.last_lines
        cause = "" if program is None else why_no_connection(program.complained + program.printed, None)
        return NotConnected(f"nothing connected to {where} within {host.patience:g} s", cause, said)
    cause = why_no_connection(program.complained + program.printed, program.code)
    return NotConnected(
        f"the program ended with exit code {program.code} before it connected to {where}", cause, program.last_lines
    )


async def _accept(listener: PlayerListener) -> Wire:
    return Wire(await listener.sockets[0].accept(), listener.framing)


async def _take_more(listener: PlayerListener, visit: Visit, wires: list[Wire]) -> None:
    """Take further connections until cancelled: the program should not make any."""
    while True:
        wire = await _accept(listener)
        wires.append(wire)
        visit.more.append(wire)
