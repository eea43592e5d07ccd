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

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from dealer.net.limits import descriptors_for
from dealer.net.seat import READ_BYTES, Seat
from dealer.tournament.scene import Scene
from dealer.web.admin.guard import OwnPageOnly
from protocol.installed import entry_points
from protocol.wire.connection import BotConnection
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import BrowserOf, Done, ProtocolError

#: An installed page for people who play: an entry point of this group makes it from a ``ScenePeople``.
PEOPLE_PAGES = "casino.people"

#: Where it is.
PATH = "/play"

#: Seconds that the dealer may take to accept a connection, and again to ask for its login.
PATIENCE = 5.0

#: Addresses that stand for all of this machine, and those at which it is reached from itself.
LOOPBACK = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}

#: People who play in browsers at once, at most. Each has a thread and, beside the player's connection, a descriptor.
MOST_PEOPLE = 64


class Closing(Protocol):
    """A server of people, which can say good-bye to them."""

    async def close(self) -> None:
        """Tell all browsers that the page closes, and give them a moment to read that."""


MakePage = Callable[["ScenePeople", int], AbstractAsyncContextManager[tuple[ASGIApp, Closing]]]


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """The page for people, while it is served.

    Attributes:
        routes: to be served at the page's port.
        say_goodbye: to be called before that port closes.
    """

    routes: Sequence[BaseRoute]
    say_goodbye: Callable[[], Awaitable[None]]


class ScenePeople:
    """The way to the dealer's port for people, and what they are told before they come and beside the game."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    @property
    def facts(self) -> Mapping[str, Any]:
        """The game, the seconds until a reply is late, and whether a login needs a secret; values for JSON."""
        scene = self._scene
        return {
            "title": scene.settings.game.title,
            "seconds": scene.people_limit,
            "secrets": scene.lobby.salt is not None,
        }

    def around(self, id: str | None) -> dict[str, Any]:
        """Who is around the player with this id, as values for JSON; nobody, if there is no such player.

        ``hand`` is the avatars of the hand under way by seat and the player's seat, ``lobby`` the avatars of those who
        wait for the start, the player's place among them, and how many it takes to start. Each is null if the player
        is not there. ``hurry`` is the seconds left for the player's answer if the dealer stops, ``left`` those left for
        a question that was asked again because its connection broke; each is null otherwise.
        """
        if id is None:
            return {"hand": None, "lobby": None, "hurry": None, "left": None}
        seat = self._seat(id)
        hurry, left = (None, None) if seat is None else (seat.hurry, seat.left)
        return {"hand": self._hand(id), "lobby": self._lobby(id), "hurry": hurry, "left": left}

    def _hand(self, id: str) -> tuple[Sequence[str], int] | None:
        # Avatars are no secret: the projector shows them.
        tournament = self._scene.tournament
        if tournament is None:
            return None
        for run in tournament.runs.values():
            players = [tournament.players[number] for number in run.in_play.deal.players] if run.in_play else []
            ids = [player.id for player in players]
            if id in ids:
                return [player.avatar for player in players], ids.index(id)
        return None

    def _lobby(self, id: str) -> tuple[Sequence[str], int, int | None] | None:
        players = self._scene.lobby.players if self._scene.tournament is None else ()
        ids = [player.id for player in players]
        return ([player.avatar for player in players], ids.index(id), self._scene.seats) if id in ids else None

    def _seat(self, id: str) -> Seat | None:
        players = self._scene.tournament.players if self._scene.tournament else ()
        return next((player.seat for player in players if player.id == id), None)

    def connect(self, peer: tuple[str, int]) -> socket.socket:
        """A new connection for the browser at this address and port, on which the dealer is about to ask for the login.

        Waits for the dealer, so call it in a thread.

        Raises:
            OSError: nobody is taken now; the text says why.
        """
        ports = self._scene.ports
        if ports is None or ports.people_port is None:
            raise OSError("the lobby is not open yet; try again in a moment")
        try:
            sock = socket.create_connection((LOOPBACK.get(ports.host, ports.host), ports.people_port), PATIENCE)
        except ConnectionRefusedError:
            raise OSError("it is over, and nobody is let in any more") from None
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _speak_for(BrowserOf(self._scene.page_token, *peer), sock)
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
        raise OSError(command.reason)
    sock.sendall(connection.send(browser))


@asynccontextmanager
async def open_people(scene: Scene) -> AsyncIterator[PeoplePage | None]:
    """Make the page for people while the block runs; None where no package offers one."""
    points = sorted(entry_points(group=PEOPLE_PAGES), key=lambda point: point.name)
    if not points:
        yield None
        return
    make: MakePage = points[0].load()
    with descriptors_for(MOST_PEOPLE) as most:
        async with make(ScenePeople(scene), most) as (app, guests):
            yield PeoplePage([Route(PATH, _to_page), Mount(PATH, OwnPageOnly(app))], guests.close)


async def _to_page(_: Request) -> Response:
    return RedirectResponse(f"{PATH}/")
