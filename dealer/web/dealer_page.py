"""The page of a dealer: the projector's, the host's, and the one for people, all from what the dealer tells.

It is served by a process of its own, so that no browser can hold up a hand: ``own_process.py`` for the dealer that
starts it, ``casino page`` for a dealer elsewhere.
"""

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import trio

from dealer.desk.token import HostToken
from dealer.feed.told import MisdirectedProgram
from dealer.lobby.failed_logins import RefusalKind
from dealer.web.admin.host_routes import cockpit_routes
from dealer.web.admin.stream_desk import open_stream_desk
from dealer.web.board import Board
from dealer.web.link import DealerLink, Place, game_of
from dealer.web.monitor import monitor_routes
from dealer.web.people import DealerPeople, open_people
from dealer.web.serving import serve_board


@asynccontextmanager
async def serve_dealer_page(
    dealer: Place,
    token: str,
    sock: socket.socket,
    pages: Sequence[str],
    *,
    players: str,
    cockpit: bool,
    elsewhere: str | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> AsyncIterator[DealerLink]:
    """Follow a dealer, and serve its page while the block runs, which begins when the dealer has told its state.

    Args:
        dealer: where its stream is.
        token: of its host.
        sock: where to listen, see ``listen``.
        pages: where browsers find the page.
        players: the address of the dealer's ports for players.
        cockpit: whether a host who knows the token can give orders on the page.
        elsewhere: the address of the dealer's machine, for programs that connect here; None if it is this one.
        say: tells who started the page what happens to it.

    Raises:
        StreamError: there is no dealer, it refuses the token, or it plays a game that is not installed here.
    """
    board, port = Board(game_of, pages), sock.getsockname()[1]
    link = DealerLink(dealer, token, board, say)
    stream = await link.connect()
    async with (
        trio.open_nursery() as nursery,
        open_stream_desk(dealer, token) as desk,
        open_people(DealerPeople(board, players, token)) as people,
    ):

        def note(peer: str, kind: RefusalKind, reason: str, sent: bytes) -> None:
            say(f"A program at {peer} connected to the page, and was told: {reason}")
            desk.note(MisdirectedProgram(peer, port, kind, reason, sent))

        routes = [*monitor_routes(desk, lambda: board.viewers), *people.routes]
        if cockpit:
            routes += cockpit_routes(desk, HostToken(token), board)
        nursery.start_soon(link.follow, stream)
        await link.told.wait()
        async with serve_board(board, sock, note, routes, people.say_goodbye, elsewhere):
            yield link
        nursery.cancel_scope.cancel()
