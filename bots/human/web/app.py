"""The page as a web application (ASGI): a few files, and a WebSocket for each browser."""

import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from typing import Any, Protocol

import structlog
import trio
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from bots.human.dealer_seat import DealerSeat
from bots.human.web.browser import Browser
from bots.human.web.guests import Guests, open_guests
from bots.human.web.room import RoomError, Table
from dealer.web.shared_files import file_routes, shared_files
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Name, ProtocolError


class Door(Protocol):
    """The way to a dealer that keeps the seat of a person for a while if the connection breaks."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is played there, as values for JSON.

        ``title`` of the game, ``seconds`` until an answer is late, ``secrets``: whether a login needs one.
        """

    def connect(self, peer: tuple[str, int]) -> socket.socket:
        """A new connection, at whose other end the dealer asks for a login. Called in a thread, where it may wait.

        Args:
            peer: address and port of the browser, for the dealer's limits and logs.

        Raises:
            OSError: the dealer takes none now.
        """


class DealerRoom:
    """Seats at a dealer. Each person is a player of its own."""

    #: The first screen comes first.
    usual = None

    def __init__(self, door: Door) -> None:
        self._door = door

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"kind": "dealer", **self._door.facts}

    async def statistics(self, host: str) -> None:
        """A dealer's journal has the hands, and its machine is that of the host."""

    def name(self, wishes: Mapping[str, Any]) -> Name:
        """Two people who leave their names out get an id each."""
        id = _text(wishes, "id") or f"person-{secrets.token_hex(3)}"
        try:
            name = Name(id, _text(wishes, "avatar") or id, _text(wishes, "secret") or None)
        except ProtocolError as error:
            raise RoomError(str(error)) from None
        if self._door.facts["secrets"] and name.secret is None:
            raise RoomError("this dealer asks for a secret: any text, but the same each time you come back")
        return name

    async def table(self, wishes: Mapping[str, Any], name: Name | None, peer: tuple[str, int]) -> Table:
        assert name is not None, "see name"

        async def connect() -> socket.socket:
            return await trio.to_thread.run_sync(self._door.connect, peer)

        try:
            sock = await connect()
        except OSError as error:
            raise RoomError(f"the dealer takes nobody now: {error}") from None
        facts = self._door.facts
        make_play, title = partial(DealerSeat, sock, UtfFraming(), name, again=connect), facts["title"]
        return Table(title[0].upper() + title[1:], make_play, name, facts["seconds"])


def _text(wishes: Mapping[str, Any], name: str) -> str:
    value = wishes.get(name, "")
    if not isinstance(value, str):
        raise RoomError(f"{name}: expected a text")
    return value.strip()


log = structlog.get_logger()


def build_app(guests: Guests) -> Starlette:
    """Make the application that serves the page to people who play."""

    async def play(socket: WebSocket) -> None:
        await _serve_browser(socket, guests)

    return Starlette(routes=[WebSocketRoute("/socket", play), *file_routes(page_files(), "/", "index.html")])


def page_files() -> Mapping[str, bytes]:
    """The files of the page by name, and those that it shares with the projector's page."""
    own = files("bots.human.web").joinpath("page")
    return {**shared_files()} | {file.name: file.read_bytes() for file in own.iterdir()}


async def _serve_browser(socket: WebSocket, guests: Guests) -> None:
    """Play with one browser. What fails is logged, and ends nothing but its connection."""
    try:
        await socket.accept()
        await Browser(socket, guests).run()
    except* WebSocketDisconnect:
        pass
    except* Exception:
        log.exception("a browser's connection failed")


@asynccontextmanager
async def open_people_page(door: Door, most: int) -> AsyncIterator[tuple[Starlette, Guests]]:
    """Make the page for the people who play at a dealer; it is served while the block runs.

    Args:
        most: how many people may play at once.
    """
    async with open_guests(DealerRoom(door), most) as guests:
        yield build_app(guests), guests
