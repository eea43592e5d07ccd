"""The port of a page and the server behind it: of a dealer's board, or of an application of another package."""

import errno
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

import structlog
import trio
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from dealer.cli.flag_types import PAGE_PORT
from dealer.cli.options import addresses_of
from dealer.errors import PortError
from dealer.net.acceptor import port_trouble
from dealer.net.limits import descriptors_for
from dealer.web.admin.guard import OwnPageOnly
from dealer.web.app import build_app, strict_headers
from dealer.web.board import Board
from dealer.web.page_server import CLOSING_SECONDS, CONNECTIONS, Misdirected, Note, PageServer, way_to_ports

log = structlog.get_logger()

#: Connections that may wait to be accepted.
BACKLOG = 1024

#: Bytes of the system's buffer for what came on a connection and was not read yet: any request of the page fits in. A
#: peer that floods a connection is stopped when it is full. With the usual 128 kB, and bytes that came one by one, the
#: system has so much to do that tables play half as fast.
RECEIVE_BYTES = 8192

#: Milliseconds that sent bytes may stay unread by a viewer before the system ends the connection.
STALLED_MILLISECONDS = 5000

#: Seconds for which the port of a page from before is waited for: the page of a dealer that was killed ends soon.
RELEASE_SECONDS = 2.0

#: Seconds that viewers have to read the last version when the page closes.
GOODBYE_SECONDS = 0.4

#: Seconds before the board is looked at again after a failure.
RESTART_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class PagePlace:
    """Address and port of the page.

    Attributes:
        host: the local address.
        port: 0 takes any free one; None takes the usual one or, if that is taken, any free one.
        usual: see above.
        was_served: whether there was a page before, of a dealer that was killed: a port that is taken may be free soon.
    """

    host: str
    port: int | None
    usual: int = PAGE_PORT
    was_served: bool = False


@asynccontextmanager
async def serve_board(
    board: Board,
    sock: socket.socket,
    note: Note,
    routes: Sequence[BaseRoute] = (),
    farewell: Callable[[], Awaitable[None]] | None = None,
    dealer: str | None = None,
) -> AsyncIterator[None]:
    """Serve a board while the block runs.

    Args:
        board: what is shown.
        sock: where to listen, see ``listen``; it is closed before viewers are let go.
        note: is told of programs of players that connect to the page.
        routes: are served beside the page.
        farewell: says good-bye to the browsers of these routes; None if nothing has to be said.
        dealer: the address of the dealer's machine; None if it is this one.
    """
    misdirected = Misdirected(lambda spoken: way_to_ports(board, spoken, dealer), note)
    async with _served(build_app(board, routes), misdirected, sock, partial(_say_goodbye, board, farewell)) as nursery:
        nursery.start_soon(_keep_board, board)
        yield


@asynccontextmanager
async def open_app_server(app: ASGIApp, sock: socket.socket) -> AsyncIterator[None]:
    """Serve an application of another package at a listening socket while the block runs, as the dealer's own page."""
    end_stalled(sock)
    misdirected = Misdirected(lambda _: "this is a page for browsers; no programs play here")
    async with _served(strict_headers(OwnPageOnly(app)), misdirected, sock, trio.lowlevel.checkpoint):
        yield


@asynccontextmanager
async def _served(
    app: ASGIApp, misdirected: Misdirected, sock: socket.socket, say_goodbye: Callable[[], Awaitable[None]]
) -> AsyncIterator[trio.Nursery]:
    """Serve an application while the block runs; then no new connection is taken, and good-bye is said to all."""
    with sock, descriptors_for(CONNECTIONS) as descriptors:
        server = PageServer(app, misdirected, descriptors)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.serve, sock)
            try:
                yield nursery
            finally:
                with trio.CancelScope(shield=True):
                    server.close_port()
                    await say_goodbye()
                    await server.end()
                    nursery.cancel_scope.deadline = trio.current_time() + CLOSING_SECONDS


async def listen(place: PagePlace, say: Callable[[str], None]) -> socket.socket:
    """A socket that listens at the port of a page.

    Args:
        place: where.
        say: tells the host if that is not the usual port.

    Raises:
        PortError: the port cannot be opened.
    """
    wanted = place.usual if place.port is None else place.port
    try:
        sock = await _bound_soon(place.host, wanted, RELEASE_SECONDS if place.was_served else 0.0)
    except OSError as error:
        if place.port is not None:
            reason = port_trouble(error, wanted, "--page-port")
            raise PortError(f"cannot serve the page on port {wanted} of {place.host}: {reason}") from None
        try:
            sock = _bound(place.host, 0)
        except OSError as refused:
            raise PortError(f"cannot serve the page at {place.host}: {refused.strerror or refused}") from None
        say(f"Port {wanted} is taken, so the page for browsers is at port {sock.getsockname()[1]}.")
    end_stalled(sock)
    return sock


def addresses(sock: socket.socket, host: str) -> tuple[str, ...]:
    """Where browsers find a page that is served at a socket.

    Args:
        sock: see ``listen``.
        host: its local address, as it was asked for.
    """
    return tuple(f"http://{address}:{sock.getsockname()[1]}/" for address in addresses_of(host))


def end_stalled(sock: socket.socket) -> None:
    """Let the system end connections of a listening socket whose peers do not read."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # sockets that it accepts inherit this
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MILLISECONDS)


async def _bound_soon(host: str, port: int, patience: float) -> socket.socket:
    """Bind; a port that is taken may become free within so many seconds."""
    deadline = trio.current_time() + patience
    while True:
        try:
            return _bound(host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or trio.current_time() > deadline:
                raise
        await trio.sleep(RELEASE_SECONDS / 20)


def _bound(host: str, port: int) -> socket.socket:
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, address = found[0]
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)  # sockets that it accepts inherit this
        sock.bind(address)
        sock.listen(BACKLOG)
    except BaseException:
        sock.close()
        raise
    return sock


async def _keep_board(board: Board) -> None:
    while True:
        try:
            await board.run()
        except Exception:
            log.exception("the page could not show what is new, and tries it again")
            await trio.sleep(RESTART_SECONDS)


async def _say_goodbye(board: Board, farewell: Callable[[], Awaitable[None]] | None) -> None:
    """Give viewers a moment to read how the tournament ended."""
    try:
        board.look()
    except Exception:
        log.exception("the page could not show how the tournament ended")
    board.close()
    if farewell is not None:
        await farewell()
    with trio.move_on_after(GOODBYE_SECONDS):
        await board.deserted()
