"""The page of a dealer: the projector's, the host's, and the one for people, all from what the dealer tells.

It is served by a process of its own, so that no browser can hold up a hand: ``own_process.py`` for the dealer that
starts it, ``casino page`` for a dealer elsewhere.
"""

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from dealer.desk.token import HostToken
from dealer.feed.told import MisdirectedProgram
from dealer.lobby.failed_logins import RefusalKind
from dealer.web.admin.host_routes import cockpit_routes
from dealer.web.admin.stream_desk import open_stream_desk
from dealer.web.board import Board
from dealer.web.link import Place
from dealer.web.monitor import monitor_routes
from dealer.web.people import DealerPeople, open_people
from dealer.web.serving import serve_board


@asynccontextmanager
async def serve_dealer_page(
    dealer: Place,
    token: str,
    board: Board,
    sock: socket.socket,
    *,
    players: str,
    cockpit: bool,
    elsewhere: str | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> AsyncIterator[None]:
    """Serve the page of a dealer while the block runs, in which a ``DealerLink`` lets the board hear.

    Args:
        dealer: where its stream is.
        token: of its host.
        board: what is shown; its ``pages`` are known.
        sock: where to listen, see ``listen``.
        players: the address of the dealer's ports for players.
        cockpit: whether a host who knows the token can give orders on the page.
        elsewhere: the address of the dealer's machine, for programs that connect here; None if it is this one.
        say: tells who started the page of such programs.
    """
    async with (
        open_stream_desk(dealer, token) as desk,
        open_people(DealerPeople(board, desk, players, token)) as people,
    ):
        port = sock.getsockname()[1]

        def note(peer: str, kind: RefusalKind, reason: str, sent: bytes) -> None:
            say(f"A program at {peer} connected to the page, and was told: {reason}")
            desk.note(MisdirectedProgram(peer, port, kind, reason, sent))

        routes = [*monitor_routes(desk, lambda: board.viewers), *people.routes]
        if cockpit:
            routes += cockpit_routes(desk, HostToken(token), board)
        async with serve_board(board, sock, note, routes, people.say_goodbye, elsewhere):
            yield
