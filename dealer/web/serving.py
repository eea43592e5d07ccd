"""The port of the page and the server behind it, which runs inside the dealer's nursery."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog
import trio
from starlette.routing import BaseRoute

from dealer.cli.flag_types import PAGE_PORT
from dealer.cli.options import addresses_of
from dealer.errors import PortError
from dealer.lobby.failed_logins import RefusalKind
from dealer.net.acceptor import port_trouble
from dealer.net.limits import descriptors_for
from dealer.tournament.scene import Scene
from dealer.web.app import build_app
from dealer.web.board import Board
from dealer.web.misdirected import Misdirected, Note
from dealer.web.page_server import CLOSING_SECONDS, CONNECTIONS, PageServer

log = structlog.get_logger()

#: Connections that may wait to be accepted.
BACKLOG = 1024

#: Bytes of the system's buffer for what came on a connection and was not read yet: any request of the page fits in. A
#: peer that floods a connection is stopped when it is full. With the usual 128 kB, and bytes that came one by one, the
#: system had so much to do that tables played half as fast.
RECEIVE_BYTES = 8192

#: Milliseconds that sent bytes may stay unread by a viewer before the system ends the connection.
STALLED_MILLISECONDS = 5000

#: Seconds that viewers have to read the last version when the page closes.
GOODBYE_SECONDS = 0.4

#: Seconds before a server that has failed is started again.
RESTART_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class PagePlace:
    """Address and port of the page.

    Attributes:
        host: the local address.
        port: 0 takes any free one; None takes the usual one or, if that is taken, any free one.
        usual: see above.
    """

    host: str
    port: int | None
    usual: int = PAGE_PORT


@asynccontextmanager
async def open_page(
    scene: Scene,
    place: PagePlace,
    say: Callable[[str], None],
    routes_of: Callable[[Board], Sequence[BaseRoute]] = lambda _: (),
    farewell: Callable[[], Awaitable[None]] | None = None,
) -> AsyncIterator[Board]:
    """Serve the page of a dealer in this process while the block runs.

    Args:
        scene: what is shown; its ``pages`` and ``page_port`` are filled in.
        place: see ``serve_board``.
        say: see there.
        routes_of: makes the routes that are served beside the page, from its board.
        farewell: see there.

    Raises:
        PortError: the port cannot be opened.
    """
    board = Board.of(scene)

    def note(peer: str, kind: RefusalKind, reason: str, sent: bytes) -> None:
        scene.note_misdirected(peer, scene.page_port or 0, kind, reason, sent)

    async with serve_board(board, place, say, note, routes_of(board), farewell) as port:
        scene.page_port, scene.pages = port, tuple(board.pages)
        yield board


@asynccontextmanager
async def serve_board(
    board: Board,
    place: PagePlace,
    say: Callable[[str], None],
    note: Note,
    routes: Sequence[BaseRoute] = (),
    farewell: Callable[[], Awaitable[None]] | None = None,
    dealer: str | None = None,
) -> AsyncIterator[int]:
    """Serve a board while the block runs; yields the port. What goes wrong is logged: no viewer can end a tournament.

    Args:
        board: what is shown; its ``pages`` are filled in.
        place: where to serve.
        say: tells the host if the page is not at its usual port.
        note: is told of programs of players that connect to the page.
        routes: are served beside the page.
        farewell: says good-bye to the browsers of these routes; None if nothing has to be said.
        dealer: the address of the dealer's machine; None if it is this one.

    Raises:
        PortError: the port cannot be opened.
    """
    with _listen(place) as sock, descriptors_for(CONNECTIONS) as descriptors:
        port = sock.getsockname()[1]
        if place.port is None and port != place.usual:
            say(f"Port {place.usual} is taken, so the page for browsers is at port {port}.")
        board.pages = [f"http://{address}:{port}/" for address in addresses_of(place.host)]
        stop = trio.Event()
        server = PageServer(build_app(board, routes), Misdirected(board, note, dealer), descriptors)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_keep_board, board)
            nursery.start_soon(keep_serving, server, sock, stop)
            try:
                yield port
            finally:
                with trio.CancelScope(shield=True):
                    await _say_goodbye(board, server, farewell)
                    stop.set()
                    nursery.cancel_scope.deadline = trio.current_time() + CLOSING_SECONDS


def _listen(place: PagePlace) -> socket.socket:
    wanted = place.usual if place.port is None else place.port
    try:
        sock = _bound(place.host, wanted)
    except OSError as error:
        if place.port is not None:
            reason = port_trouble(error, wanted, "--page-port")
            raise PortError(f"cannot serve the page on port {wanted} of {place.host}: {reason}") from None
        sock = _bound_anywhere(place.host)
    end_stalled(sock)
    return sock


def end_stalled(sock: socket.socket) -> None:
    """Let the system end connections of a listening socket whose peers do not read."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # sockets that it accepts inherit this
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MILLISECONDS)


def _bound_anywhere(host: str) -> socket.socket:
    try:
        return _bound(host, 0)
    except OSError as error:
        raise PortError(f"cannot serve the page at {host}: {error.strerror or error}") from None


def _bound(host: str, port: int) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
        0
    ]
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


async def keep_serving(server: PageServer, sock: socket.socket, stop: trio.Event) -> None:
    """Serve until ``stop`` is set. A server that failed, perhaps because of what a viewer sent, is started again."""
    while not stop.is_set():
        try:
            await server.serve(sock, stop)
        except Exception:
            log.exception("the page's server failed, and is started again; the tournament goes on")
            await trio.sleep(RESTART_SECONDS)


async def _say_goodbye(board: Board, server: PageServer, farewell: Callable[[], Awaitable[None]] | None) -> None:
    """Give viewers a moment to read how the tournament ended, then end the connections that are left."""
    try:
        board.look()
    except Exception:
        log.exception("the page could not show how the tournament ended")
    board.close()
    if farewell is not None:
        await farewell()
    with trio.move_on_after(GOODBYE_SECONDS):
        await board.deserted()
    if board.viewers or farewell is not None:
        server.hang_up()
