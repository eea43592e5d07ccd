"""Doors: listeners that log programs in and bring them to the lobby."""

import socket
from dataclasses import dataclass

import structlog
import trio

from dealer.faults import SeatLost
from dealer.lobby import Lobby
from dealer.reunion import RefusedError, secret_proof
from dealer.watchdog import Watchdog
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Login, Name, SecretLogin

log = structlog.get_logger()

REPLY_BYTES = 512
"""The longest reply read; the longest legal one, a name of 32 emoji, has 232."""


class DoorError(Exception):
    """A port that cannot be opened; the text says which and why."""


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


async def open_door(host: str, port: int, limit: float, *, lines: bool = False, program: str | None = None) -> Door:
    """Listen on ``port`` of the address ``host`` (0 takes any free port) for writeUTF frames, or for lines.

    Raises:
        DoorError: the port is taken, forbidden, or not of this machine.
    """
    try:
        listeners = await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        raise DoorError(f"cannot listen on port {port} of {host}: {error.strerror or error}") from None
    except UnicodeError:  # from the encoding of host names
        raise DoorError(f"cannot listen on port {port} of {host}: this is no address") from None
    framing = LineFraming(REPLY_BYTES) if lines else UtfFraming(REPLY_BYTES)
    return Door(listeners, listeners[0].socket.getsockname()[1], framing, limit, program)


async def keep_door(door: Door, lobby: Lobby, watchdog: Watchdog) -> None:
    """Let programs in through ``door`` until cancelled."""

    async def welcome(stream: trio.SocketStream) -> None:
        peer = _peer(stream.socket)
        sock = socket.socket(fileno=stream.socket.detach())
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        seat = watchdog.seat(sock, door.framing, door.limit)
        try:
            lobby.check_open()
            name = await seat.ask(Login() if lobby.salt is None else SecretLogin())
            player = lobby.admit(name, await _proof(name, lobby), seat, door.program or peer)
        except RefusedError as refused:
            log.info("refused", peer=peer, reason=str(refused))
            await seat.close(str(refused))
        except SeatLost as lost:
            log.info("no login", peer=peer, kind=lost.fault.kind.value, reason=lost.fault.reason)
            await seat.close(lost.fault.reason)
        else:
            log.info("login", peer=peer, player=name.id, avatar=name.avatar)
            await lobby.wait_with(player)

    await trio.serve_listeners(welcome, door.listeners)


async def _proof(name: Name, lobby: Lobby) -> bytes | None:
    """What tells the secret of a login again, where there is one."""
    if name.secret is None or lobby.salt is None:
        return None
    return await trio.to_thread.run_sync(secret_proof, name.secret, name.id, lobby.salt)


def _peer(sock: trio.socket.SocketType) -> str:
    try:
        host, port, *_ = sock.getpeername()
    except OSError:  # gone before we looked; the login will find out
        return "unknown"
    return f"{host}:{port}"
