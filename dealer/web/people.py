"""The page on which people play, served beside the projector's page. What serves it is found by an entry point.

The page connects to the dealer's port for people, and states for which browser: it has the host's token. So a person in
a browser is a player like any other, with the same rules, limits and messages, and one who keeps the seat for a while
if the page dies.
"""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import trio
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from dealer.net.limits import descriptors_for
from dealer.net.ports import PEOPLE
from dealer.web.admin.guard import OwnPageOnly
from dealer.web.board import Board
from protocol.installed import entry_points
from protocol.wire.connection import BotConnection
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import TRY_AGAIN, BrowserOf, Done, ProtocolError

#: Bytes read at once of what the dealer says before a person logs in.
READ_BYTES = 4096

#: An installed page for people who play: an entry point of this group makes it from a ``ScenePeople``.
PEOPLE_PAGES = "casino.people"

#: Where it is.
PATH = "/play"

#: Seconds that the dealer may take to accept a connection, and again to ask for its login.
PATIENCE = 5.0

#: People who play in browsers at once, at most. Each has a descriptor beside the player's connection.
MOST_PEOPLE = 64


class Closing(Protocol):
    """A server of people, which can say good-bye to them."""

    async def close(self) -> None:
        """Tell all browsers that the page closes, and give them a moment to read that."""


MakePage = Callable[["DealerPeople", int], AbstractAsyncContextManager[tuple[ASGIApp, Closing]]]


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """The page for people, while it is served.

    Attributes:
        routes: to be served at the page's port.
        say_goodbye: to be called before that port closes.
    """

    routes: Sequence[BaseRoute]
    say_goodbye: Callable[[], Awaitable[None]]


class DealerPeople:
    """The way to a dealer's port for people, and what they are told before they come.

    Args:
        board: knows what is played, and the port.
        host: the address of its ports for players.
        token: of the host, by which the page may speak for browsers.
    """

    def __init__(self, board: Board, host: str, token: str) -> None:
        self._board = board
        self._host = host
        self._token = token

    @property
    def port(self) -> int | None:
        """Where the dealer waits for people; None if it does not, or not yet."""
        ports = self._board.scene.get("ports", ())
        return next((port["number"] for port in ports if port["name"] == PEOPLE.name), None)

    @property
    def facts(self) -> Mapping[str, Any]:
        """The game, the seconds until a reply is late, and whether a login needs a secret; values for JSON."""
        scene = self._board.scene
        return {"title": scene["title"], "seconds": scene["peopleSeconds"], "secrets": scene["needSecret"]}

    def connect(self, peer: tuple[str, int]) -> socket.socket:
        """A new connection for the browser at this address and port, on which the dealer is about to ask for the login.

        Waits for the dealer, so call it in a thread.

        Raises:
            OSError: nobody is taken now; the text says why.
        """
        if self.port is None:
            raise OSError("the lobby is not open yet; try again in a moment")
        try:
            sock = socket.create_connection((self._host, self.port), PATIENCE)
        except ConnectionRefusedError:
            raise OSError("it is over, and nobody is let in any more") from None
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _speak_for(BrowserOf(self._token, *peer), sock)
        except ProtocolError as error:
            sock.close()
            raise OSError(f"it speaks otherwise than this page: {error}") from None
        except BaseException:
            sock.close()
            raise
        sock.settimeout(None)
        return sock


def _speak_for(browser: BrowserOf, sock: socket.socket) -> None:
    """Answer the first login with the browser's address; the dealer then asks for the person's.

    Raises:
        OSError: the dealer takes nobody.
        ProtocolError: it says something else.
    """
    connection = BotConnection(UtfFraming())
    while (command := connection.next_command()) is None:
        data = sock.recv(READ_BYTES)
        if not data:
            raise OSError("it takes no more connections; try again in a moment")
        connection.receive(data)
    if isinstance(command, Done):
        raise OSError(command.reason.removeprefix(TRY_AGAIN))
    sock.sendall(connection.send(browser))


@asynccontextmanager
async def open_people(people: DealerPeople) -> AsyncIterator[PeoplePage]:
    """Make the page for people while the block runs; there is none without a package that offers one."""
    points = sorted(entry_points(group=PEOPLE_PAGES), key=lambda point: point.name)
    if not points:
        yield PeoplePage([], trio.lowlevel.checkpoint)
        return
    make: MakePage = points[0].load()
    with descriptors_for(MOST_PEOPLE) as most:
        async with make(people, most) as (app, guests):
            page = _WhereWelcome(people, OwnPageOnly(app))
            yield PeoplePage([Route(PATH, _to_page), Mount(PATH, page)], guests.close)


class _WhereWelcome:
    """Middleware for the page: where the dealer has no port for people, there is no such page."""

    def __init__(self, people: DealerPeople, app: ASGIApp) -> None:
        self._people = people
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if self._people.port is not None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        else:
            text = "Nobody plays here in a browser: the dealer was started without --people, or is not open yet.\n"
            await PlainTextResponse(text, 404)(scope, receive, send)


async def _to_page(_: Request) -> Response:
    return RedirectResponse(f"{PATH}/")
