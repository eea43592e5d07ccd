"""One connection to the page: HTTP/1.1 by hypercorn, at the pace that the work budget allows.

hypercorn's own ``serve`` accepts any number of connections, and goes on in HTTP/2 with a peer that asks for it, where
one connection can cancel thousands of requests a second. So connections are accepted and counted elsewhere, and this
file uses the part of hypercorn that serves one of them. It ends a connection as soon as the peer has closed it, which
hypercorn does only when the time for the next request is over.
"""

import socket
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, cast

import h11
import trio
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol import ProtocolWrapper
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio.task_group import TaskGroup
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.typing import ConnectionState
from hypercorn.utils import parse_socket_addr

from dealer.web.work_budget import READ, WorkBudget

#: Bytes read at once: more than any request of the page or the desk has.
READ_BYTES = 8192

#: Bytes of the longest body of a request. Longer than an order of the desk may be, which has an answer of its own.
BODY_BYTES = 8192


class PacedStream:
    """A connection that is read only when it is its turn, with those methods of a trio stream that hypercorn calls.

    It goes around trio's stream, as a player's seat does: that one lets all other tasks run after each read and each
    send, even where nothing is to be waited for. A person's click would wait for all tables several times, and each
    viewer's task would run twice for a message.

    Args:
        sock: the connection, which belongs to the stream from now on.
        address: that it counts for.
        budget: gives turns.
    """

    def __init__(self, sock: socket.socket, address: str, budget: WorkBudget) -> None:
        sock.setblocking(False)
        self.socket = sock
        self._address = address
        self._budget = budget
        self._ended = False

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Read what there is, or wait for it; at most ``READ_BYTES``."""
        while True:
            await self._wait(trio.lowlevel.wait_readable)
            await self._budget.turn(self._address, READ)
            try:
                return self.socket.recv(READ_BYTES)
            except BlockingIOError:  # a system may have thrown away what came
                continue
            except OSError:
                raise trio.BrokenResourceError from None

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send all bytes; waits only if the system does not take them at once."""
        rest = memoryview(data)
        while rest:
            if self._ended:  # by another task
                raise trio.ClosedResourceError
            try:
                rest = rest[self.socket.send(rest) :]
            except BlockingIOError:
                await self._wait(trio.lowlevel.wait_writable)
            except OSError:
                raise trio.BrokenResourceError from None

    async def send_eof(self) -> None:
        self._ended = True
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            raise trio.BrokenResourceError from None

    async def aclose(self) -> None:
        self._ended = True
        if self.socket.fileno() >= 0:
            trio.lowlevel.notify_closing(self.socket)  # a task that waits for the socket wakes up
            self.socket.close()

    async def _wait(self, ready: Callable[[socket.socket], Awaitable[None]]) -> None:
        """Wait until the socket can be read, or written."""
        if self.socket.fileno() < 0:
            raise trio.ClosedResourceError
        try:
            await ready(self.socket)
        except OSError:
            raise trio.BrokenResourceError from None


class _Http1Protocol(H11Protocol):
    async def _check_protocol(self, event: h11.Request) -> None:
        """Stay with HTTP/1.1, whatever a request asks for: RFC 9110 lets a server ignore an upgrade."""

    async def _create_stream(self, request: h11.Request) -> None:
        """Begin to answer a request, unless its body may be too long."""
        refusal = _refusal(request)
        if refusal is None:
            await super()._create_stream(_without_extensions(request))
        else:
            await self._send_error_response(refusal)
            await self.send(Closed())


def _refusal(request: h11.Request) -> HTTPStatus | None:
    """The status that refuses a request because of its body; None if it is short enough.

    The parts of a body wait in a queue until the application reads them, and it need not read any. So the queue is not
    limited, or the notice that the peer has gone could wait behind them for ever; the body is.
    """
    headers = {name.lower(): value for name, value in request.headers}
    if b"transfer-encoding" in headers:
        return HTTPStatus.LENGTH_REQUIRED
    if int(headers.get(b"content-length", b"0")) > BODY_BYTES:  # h11 has seen to it that this is a number
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return None


def _without_extensions(request: h11.Request) -> h11.Request:
    """The request without extensions of a WebSocket: a few compressed bytes could become megabytes of a message."""
    if not any(name == b"sec-websocket-extensions" for name, _ in request.headers):
        return request
    kept = [(name, value) for name, value in request.headers if name != b"sec-websocket-extensions"]
    return h11.Request(method=request.method, headers=kept, target=request.target, http_version=request.http_version)


class HttpConnection(TCPServer):
    """Serves one connection, a ``PacedStream``, until it ends."""

    _peer_gone = False

    async def run(self) -> None:
        """Serve the connection, and close it."""
        stream = cast(PacedStream, self.stream)
        sock = stream.socket
        try:
            client = parse_socket_addr(sock.family, sock.getpeername())
            server = parse_socket_addr(sock.family, sock.getsockname())
            async with TaskGroup() as group:
                self._task_group = group
                state = ConnectionState(self.state.copy())
                where: tuple[Any, ...] = (state, False, client, server, self.protocol_send)
                self.protocol = ProtocolWrapper(self.app, self.config, self.context, group, *where)
                self.protocol.protocol = _Http1Protocol(self.app, self.config, self.context, group, *where)
                await self.protocol.initiate()
                await self.idle_task.restart(group, self._idle_timeout)
                await self._read_data()
                self._peer_gone = True
                await self.idle_task.stop()
        except OSError:  # the peer has gone
            pass
        finally:
            await self._close()

    async def protocol_send(self, event: Event) -> None:
        """Send bytes, close the connection, or wait for the next request, unless the peer has gone."""
        if isinstance(event, RawData):
            await self._send(event.data)
        elif not (self._peer_gone and isinstance(event, Updated)):
            await super().protocol_send(event)

    async def _send(self, data: bytes) -> None:
        """Send bytes as hypercorn does, but without a wait for all other tasks where nobody else is sending."""
        try:
            self.send_lock.acquire_nowait()
        except trio.WouldBlock:
            await self.send_lock.acquire()
        try:
            with trio.CancelScope(shield=True):
                await self.stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            await self.protocol.handle(Closed())
        finally:
            self.send_lock.release()
