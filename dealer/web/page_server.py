"""The server of a page: it looks at who connects, tells programs of players where they belong, and serves browsers.

Connections are limited in all and for each address, so that a flood leaves room to the projector, which is on this
machine. hypercorn serves what is admitted.
"""

import re
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address
from logging import ERROR
from typing import cast

import trio
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import Framework
from hypercorn.utils import wrap_app
from starlette.types import ASGIApp

from dealer.lobby.failed_logins import RefusalKind
from dealer.net.acceptor import accept_in_bursts, drop
from dealer.net.admission import Admission, Entry
from dealer.net.limits import Limits
from dealer.net.ports import directions
from dealer.web.board import Board
from protocol.wire.connection import DealerConnection
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Done
from protocol.wire.wrong_port import Speech, recognise

#: Connections from other machines: 300 viewers and some that fetch a file, or a classroom behind one address.
FROM_ELSEWHERE = Limits(connections=320, per_address=128, connects=256)

#: Connections from this machine, counted apart: whatever happens elsewhere, the projector and the desk have room.
FROM_HERE = Limits(connections=256, per_address=256, connects=256)

#: Connections that the page serves at most.
CONNECTIONS = FROM_ELSEWHERE.connections + FROM_HERE.connections

#: Connections accepted without a pause, which makes 320 a second.
BURST = 8

#: Seconds that a connection may stay open without a request.
IDLE_SECONDS = 5.0

#: Seconds in which a new connection must say something. Not less: browsers open connections in advance.
SILENT_SECONDS = 3.0

#: Bytes of the longest head of a request.
HEAD_BYTES = 8192

#: Characters of the longest message of a browser on a WebSocket.
MESSAGE_LENGTH = 4096

#: Seconds in which a refused client may read why.
REFUSAL_SECONDS = 0.5

#: Seconds that the server has at the end to finish its connections, and again to give up the rest.
CLOSING_SECONDS = 0.3

#: Bytes by which a client is recognised: more than an id has.
FIRST_BYTES = 64

#: The first bytes of a client that begins with HTTP/2 without asking.
HTTP2 = b"PRI * HTTP/2"

_REFUSAL = (
    "HTTP/1.1 {status} {phrase}\r\nconnection: close\r\nretry-after: 1\r\n"
    "content-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\n\r\n{text}"
)


# Both ports stand on the same blackboard, so a student swaps them easily. A program of a player mostly says nothing at
# first, since the dealer speaks first. A browser mostly speaks at once, but it opens some connections in advance, which
# stay silent until it needs them.

#: The beginning of a login as a line. No request begins like that: a space follows the method of HTTP.
_LOGIN_LINE = re.compile(rb"[A-Za-z0-9_-]{1,39}:")


def spoken_by_program(sent: bytes) -> Speech | None:
    """The speech of a program of a player; None if the first bytes of a connection are not those of one."""
    spoken = recognise(sent)
    if spoken in (Speech.FRAMES, Speech.ACPC):
        return spoken
    return Speech.LINES if _LOGIN_LINE.match(sent) else None


#: Is told of a program of a player at a page's port: address and port, why it is refused, and its first bytes.
Note = Callable[[str, RefusalKind, str, bytes], None]


class Misdirected:
    """Tells programs of players at a page's port where to connect, and tells the host of them.

    Args:
        reason: makes the text of a ``done:`` for a program with this speech, as far as it is known.
        note: tells the host.
    """

    def __init__(self, reason: Callable[[Speech | None], str], note: Note = lambda *_: None) -> None:
        self._reason = reason
        self._note = note

    def note(self, peer: str, sent: bytes) -> None:
        """Tell the host of a program, by its address and port, and its first bytes."""
        self._note(peer, RefusalKind.WRONG_PORT, self._reason(spoken_by_program(sent)), sent)

    def directions(self, spoken: Speech | None) -> bytes:
        """The bytes that tell a program where to connect; in both framings if it has not spoken yet."""
        reason = Done(self._reason(spoken))
        if spoken is Speech.ACPC:
            return DealerConnection(LineFraming()).send_comment(reason)
        framing: Framing = LineFraming() if spoken is Speech.LINES else UtfFraming()
        return DealerConnection(framing).send_done(reason, in_both_framings=spoken is None)


def way_to_ports(board: Board, spoken: Speech | None, dealer: str | None = None) -> str:
    """Where a program with this speech connects, for one at the port of a dealer's page.

    Args:
        board: knows the ports for players.
        spoken: by the program, as far as it is known.
        dealer: the address of the dealer's machine; None if it is this one.
    """
    scene, here = board.scene, "this is the port of the page for browsers"
    if not scene or not scene["ports"]:
        return f"{here}; the programs of a league connect to the port that each was started with"
    numbers = {port["name"]: port["number"] for port in scene["ports"]}
    of_dealer = "" if dealer is None or spoken is Speech.ACPC else f" of {dealer}"
    return f"{here}{directions(numbers, scene['game'], None, spoken)}{of_dealer}"


class PageServer:
    """Serves an application at one port.

    Args:
        app: what is served.
        misdirected: tells programs of players where to connect.
        descriptors: how many connections there may be in all, at most.
    """

    def __init__(self, app: ASGIApp, misdirected: Misdirected, descriptors: int = CONNECTIONS) -> None:
        self._app = wrap_app(cast(Framework, app), 0, "asgi")
        self._misdirected = misdirected
        self._browsers: Counter[str] = Counter()  # open connections that speak HTTP, by address
        self._elsewhere = Admission(_fitting(FROM_ELSEWHERE, descriptors))
        self._here = Admission(_fitting(FROM_HERE, descriptors))
        self._config = _config()
        self._context = WorkerContext(None)
        self._open: set[trio.SocketStream] = set()
        self._left = trio.Event()
        self._accepting = trio.CancelScope()

    async def serve(self, sock: socket.socket) -> None:
        """Serve connections that come to a listening socket, until cancelled."""
        listening = trio.SocketListener(trio.socket.from_stdlib_socket(sock))
        async with trio.open_nursery() as connections:
            with self._accepting:
                await accept_in_bursts(listening, BURST, partial(self._take, connections), self._elsewhere)
            await trio.sleep_forever()

    def close_port(self) -> None:
        """Take no more connections; those that are open stay."""
        self._accepting.cancel()

    async def end(self) -> None:
        """Let connections go that are idle or nearly done, and shut down all others.

        Hypercorn shields its sends from cancellation. A send to a viewer that does not read would therefore never end,
        and nothing but the end of its connection can stop it.
        """
        await self._context.terminated.set()
        with trio.move_on_after(CLOSING_SECONDS):
            while self._open:
                self._left = trio.Event()
                await self._left.wait()
        for stream in self._open:
            with suppress(OSError):
                stream.socket.shutdown(socket.SHUT_RDWR)
        self._elsewhere.log.flush()
        self._here.log.flush()

    def _take(self, nursery: trio.Nursery, stream: trio.SocketStream) -> None:
        """Count a connection, and start its task or drop it."""
        try:
            host: str = stream.socket.getpeername()[0]
        except OSError:  # the peer has gone already
            stream.socket.close()
            return
        admission = self._here if ip_address(host.partition("%")[0]).is_loopback else self._elsewhere
        entry = admission.enter(host)
        if entry is None:
            drop(socket.socket(fileno=stream.socket.detach()))
        else:
            nursery.start_soon(self._welcome, stream, admission, entry)

    async def _welcome(self, stream: trio.SocketStream, admission: Admission, entry: Entry) -> None:
        """Serve a connection, or tell it why it is refused. What fails in it is logged and ends nothing else."""
        try:
            if entry.refusal is not None:
                await _refuse(stream, 503, entry.refusal)
            else:
                await self._receive(stream, entry.address, await _first_bytes(stream))
        except* OSError:  # the peer has gone
            pass
        except* Exception as error:  # noqa: BLE001 - what a stranger sends must not end the page
            # Without a traceback: printing one takes longer than hundreds of requests.
            reason = "; ".join(repr(one) for one in error.exceptions)
            admission.log.write(ERROR, "a connection to the page failed", entry.address, reason=reason)
        finally:
            admission.leave(entry)
            stream.socket.close()

    async def _receive(self, stream: trio.SocketStream, address: str, sent: bytes | None) -> None:
        """Serve a browser, or tell any other client that it is wrong here.

        Args:
            stream: the connection.
            address: that it counts for.
            sent: its first bytes, which are still unread; empty if it has gone, None if it is silent.
        """
        if sent == b"":
            return
        if sent is None or spoken_by_program(sent) is not None:
            await self._redirect(stream, address, sent)
        elif sent.startswith(HTTP2):
            await _refuse(stream, 505, "this page speaks HTTP/1.1 only")
        else:
            await self._serve_browser(stream, address)

    async def _serve_browser(self, stream: trio.SocketStream, address: str) -> None:
        self._browsers[address] += 1
        self._open.add(stream)
        try:
            await TCPServer(self._app, self._config, self._context, {}, stream)  # type: ignore[arg-type] # one of SSL
        finally:
            self._open.discard(stream)
            self._left.set()
            self._browsers -= Counter([address])  # which drops addresses at zero

    async def _redirect(self, stream: trio.SocketStream, address: str, sent: bytes | None) -> None:
        """Tell what seems to be a program of a player where to connect, and note it for the host."""
        # A silent connection is probably one in advance if a browser is at the same address: no news for the host.
        if sent is not None or not self._browsers[address]:
            host, port, *_ = stream.socket.getpeername()
            self._misdirected.note(f"{host}:{port}", sent or b"")
        await _say_last(stream, self._misdirected.directions(spoken_by_program(sent or b"")))


def _fitting(limits: Limits, descriptors: int) -> Limits:
    """The limits, reduced in proportion if there are fewer descriptors than ``CONNECTIONS``."""
    connections = max(limits.connections * min(descriptors, CONNECTIONS) // CONNECTIONS, 1)
    return replace(limits, connections=connections, per_address=min(limits.per_address, connections))


def _config() -> Config:
    config = Config()
    config.errorlog = config.accesslog = None
    config.include_server_header = False
    config.keep_alive_timeout = IDLE_SECONDS
    config.h11_max_incomplete_size = HEAD_BYTES
    config.websocket_max_message_size = MESSAGE_LENGTH
    return config


async def _first_bytes(stream: trio.SocketStream) -> bytes | None:
    """The first bytes of a client, which stay unread; empty if it has gone, None if it is silent."""
    with trio.move_on_after(SILENT_SECONDS):
        await trio.lowlevel.wait_readable(stream.socket)
    if not stream.socket.is_readable():  # asked again: after a stall both the time and the bytes have come
        return None
    return await stream.socket.recv(FIRST_BYTES, socket.MSG_PEEK)


async def _refuse(stream: trio.SocketStream, status: int, reason: str) -> None:
    """Tell a browser why it is refused."""
    text, phrase = f"{reason}\n", HTTPStatus(status).phrase
    await _say_last(stream, _REFUSAL.format(status=status, phrase=phrase, length=len(text), text=text).encode())


async def _say_last(stream: trio.SocketStream, data: bytes) -> None:
    """Send the last bytes of a connection, and give the client a moment to read them."""
    with trio.move_on_after(REFUSAL_SECONDS), suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        await stream.send_all(data)
        await stream.send_eof()
        await stream.receive_some(HEAD_BYTES)  # what it sent: closing over unread bytes would lose the answer
