"""Doors: listeners that log programs in and bring them to the lobby."""

import errno
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from logging import INFO, WARNING

import structlog
import trio

from dealer.errors import PortError
from dealer.faults import SeatLost
from dealer.lobby.lobby import Lobby
from dealer.lobby.reconnect import LoginRefused, secret_proof
from dealer.net.admission import Entry, Gate
from dealer.net.limits import REPLY_BYTES, USUAL
from dealer.net.seat import Seat
from dealer.net.watchdog import Watchdog
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Login, Name, SecretLogin

log = structlog.get_logger()

BURST = 50
PAUSE_SECONDS = 0.025
"""After each burst a door rests: 2000 connections a second, refused or not, are what the tables hardly notice."""

_OVERLOADED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS})
"""What accept may fail with on a system that has run short; connections wait meanwhile."""


@dataclass(frozen=True, slots=True)
class Door:
    """An open port.

    Attributes:
        listeners: trio's, bound and listening.
        port: the number they are bound to.
        framing: how messages travel through this door.
        limit: seconds within which each reply through this door is due.
        program: what comes in here, if that is known.
    """

    listeners: list[trio.SocketListener]
    port: int
    framing: Framing
    limit: float
    program: str | None = None


async def open_door(
    host: str,
    port: int,
    limit: float,
    *,
    lines: bool = False,
    program: str | None = None,
    frame_bytes: int = REPLY_BYTES,
) -> Door:
    """Listen on ``port`` of the address ``host`` (0 takes any free port) for writeUTF frames, or for lines.

    Longer messages than ``frame_bytes`` are not read.

    Raises:
        PortError: the port is taken, forbidden, or not of this machine.
    """
    try:
        listeners = await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        raise PortError(f"cannot listen on port {port} of {host}: {error.strerror or error}") from None
    except UnicodeError:  # from the encoding of host names
        raise PortError(f"cannot listen on port {port} of {host}: this is no address") from None
    framing = LineFraming(frame_bytes) if lines else UtfFraming(frame_bytes)
    return Door(listeners, listeners[0].socket.getsockname()[1], framing, limit, program)


async def keep_door(door: Door, lobby: Lobby, watchdog: Watchdog, gate: Gate | None = None) -> None:
    """Let programs in through ``door`` until cancelled. Without a ``gate`` it counts alone, with the usual limits."""
    gate = gate or Gate(USUAL)
    try:
        async with trio.open_nursery() as nursery:
            reception = _Reception(door, lobby, watchdog, gate, nursery)
            for listener in door.listeners:
                nursery.start_soon(reception.accept_from, listener)
    finally:
        gate.notices.flush()


@dataclass(frozen=True, slots=True)
class _Reception:
    """What happens at one door to whoever comes; each connection is a task that ends when its socket is closed."""

    door: Door
    lobby: Lobby
    watchdog: Watchdog
    gate: Gate
    nursery: trio.Nursery

    async def accept_from(self, listener: trio.SocketListener) -> None:
        """Accept connections until cancelled."""
        async with listener:
            while True:
                try:
                    for _ in range(BURST):
                        self._take(await listener.accept())
                except OSError as error:
                    if error.errno not in _OVERLOADED:
                        raise
                    self.gate.notices.say(WARNING, "cannot accept", "any", reason=error.strerror)
                await trio.sleep(PAUSE_SECONDS)

    def _take(self, stream: trio.SocketStream) -> None:
        sock = socket.socket(fileno=stream.socket.detach())
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            host, port, *_ = sock.getpeername()
        except OSError:  # gone before we looked
            sock.close()
            return
        entry = self.gate.enter(host)
        if entry is None:
            _drop(sock)
        else:
            self.nursery.start_soon(self._welcome, sock, f"{host}:{port}", entry)

    async def _welcome(self, sock: socket.socket, peer: str, entry: Entry) -> None:
        limits = self.gate.limits
        try:
            seat = self.watchdog.seat(sock, self.door.framing, limits.login_limit or self.door.limit, limits)
            if entry.refusal is None:
                await self._log_in(seat, peer, entry)
            else:
                await seat.close(entry.refusal)
        finally:
            self.gate.leave(entry)

    async def _log_in(self, seat: Seat, peer: str, entry: Entry) -> None:
        say = partial(self.gate.notices.say, INFO)
        try:
            self.lobby.check_open()
            name = await seat.ask(Login() if self.lobby.salt is None else SecretLogin())
            seat.limit = self.door.limit
            self.lobby.check_expected(name)
            player = self.lobby.admit(name, await self._proof(name), seat, self.door.program or peer)
        except LoginRefused as refused:
            say("refused", entry.address, peer=peer, reason=str(refused))
            await seat.close(str(refused))
        except SeatLost as lost:
            say("no login", entry.address, peer=peer, kind=lost.fault.kind.value, reason=lost.fault.reason)
            await seat.close(lost.fault.reason)
        else:
            log.info("login", peer=peer, player=name.id, avatar=name.avatar)
            await self.lobby.wait_with(player)
            await seat.wait_closed()

    async def _proof(self, name: Name) -> bytes | None:
        """What tells the secret of a login again, where there is one."""
        if name.secret is None or self.lobby.salt is None:
            return None
        return await trio.to_thread.run_sync(
            secret_proof, name.secret, name.id, self.lobby.salt, limiter=self.gate.proofs
        )


def _drop(sock: socket.socket) -> None:
    """Close with a reset, so that the system remembers nothing of the connection; thousands a second would add up."""
    with suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()
