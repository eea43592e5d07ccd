"""A browser that is a task of the test: one WebSocket, whose messages the test sends and reads.

The page with tables of house bots can be served beside it.
"""

import json
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from starlette.applications import Starlette
from starlette.routing import Mount
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    RejectConnection,
    Request,
    TextMessage,
)

from bots.human.table_order import Order
from bots.human.web.app import build_app
from bots.human.web.guests import Guests, open_guests
from bots.human.web.server import HouseRoom
from dealer.web.serving import open_app_server
from tests.dealer.support import http_routes
from tests.patience import PATIENCE

HOST = "127.0.0.1"

#: Facts of a message of the server.
Facts = dict[str, Any]


class RefusedError(Exception):
    """The server made no WebSocket; its HTTP status is the argument."""


class WebPeer:
    """One end of a WebSocket.

    Attributes:
        frames: the text of every message that came.
        closed: the code with which the server closed; None before, 1006 if it only hung up.
    """

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.frames: list[str] = []
        self.closed: int | None = None
        self._connection = WSConnection(ConnectionType.CLIENT)
        self._came: list[Facts] = []
        self._open = False

    async def shake_hands(self, port: int, headers: Mapping[str, str]) -> None:
        """Ask for the WebSocket.

        Raises:
            RefusedError: there is none.
        """
        named = {"host": f"{HOST}:{port}", **headers}
        extra = [(name.encode(), value.encode()) for name, value in named.items() if name != "host"]
        await self._send(Request(host=named["host"], target="/play/socket", extra_headers=extra))
        while not self._open:
            await self._read()

    async def say(self, kind: str, **facts: Any) -> None:
        await self.say_text(json.dumps({"type": kind, **facts}))

    async def say_text(self, text: str) -> None:
        await self._send(TextMessage(data=text))

    async def say_bytes(self, data: bytes) -> None:
        await self._send(BytesMessage(data=data))

    async def hear(self, kind: str, wanted: Callable[[Facts], object] = lambda _: True) -> Facts:
        """The next message of a kind that is wanted; others are dropped."""
        while True:
            while self._came:
                facts = self._came.pop(0)
                if facts["type"] == kind and wanted(facts):
                    return facts
            assert self.closed is None, f"closed with {self.closed} before {kind}"
            await self._read()

    async def hear_turn(self) -> Facts:
        return await self.hear("state", lambda state: state["asked"])

    async def call(self, state: Facts) -> None:
        await self.say("act", number=state["asked"]["number"], amount=state["asked"]["owed"])

    async def hear_close(self) -> int:
        """Read until the server closes; its code."""
        while self.closed is None:
            await self._read()
        return self.closed

    async def _send(self, event: Event) -> None:
        await self.stream.send_all(self._connection.send(event))

    async def _read(self) -> None:
        data = await self.stream.receive_some(65536)
        if not data:
            self.closed = self.closed or 1006
            return
        self._connection.receive_data(data)
        for event in self._connection.events():
            self._take(event)

    def _take(self, event: Event) -> None:
        match event:
            case AcceptConnection():
                self._open = True
            case RejectConnection(status_code=status):
                raise RefusedError(status)
            case CloseConnection(code=code):
                self.closed = code
            case TextMessage(data=text):
                self.frames.append(text) if event.message_finished and event.frame_finished else None
                self._came.append(json.loads(text))


@asynccontextmanager
async def open_peer(port: int, source: str = HOST, **headers: str) -> AsyncIterator[WebPeer]:
    """A browser with a WebSocket, from any address of the loopback network; it hangs up at the end of the block."""
    async with await trio.open_tcp_stream(HOST, port, local_address=source) as stream:
        peer = WebPeer(stream)
        await peer.shake_hands(port, headers)
        yield peer


@asynccontextmanager
async def open_guest(port: int) -> AsyncIterator[WebPeer]:
    """A browser that has come for the first time, and has said hello."""
    async with open_peer(port) as peer:
        await peer.say("hello", token="")
        yield peer


async def refused_with_foreign_headers(port: int) -> None:
    """Make sure that a foreign page gets neither a socket nor a file, also through a name that leads here."""
    name = f"evil.example:{port}"
    for headers in {"origin": "http://elsewhere.example"}, {"host": name, "origin": f"http://{name}"}, {"host": name}:
        with pytest.raises(RefusedError, match="403"):
            async with open_peer(port, **headers):
                pass
        reply = await http_routes.request(port, "GET", "/play/", headers)
        assert reply.status == 403, headers


#: A game against one bot that always calls, without pauses.
AGAINST_CALLER = Order("stud", "page", ("caller",), speed="none")


@asynccontextmanager
async def open_house(
    order: Order = AGAINST_CALLER, most: int = 8, statistics: Path | None = None
) -> AsyncIterator[tuple[int, Guests]]:
    """The port of the page, and who plays there; hands are added to the file of ``statistics``."""
    room = HouseRoom(order, statistics)
    with trio.fail_after(PATIENCE), socket.create_server((HOST, 0)) as sock:
        async with open_guests(room, most) as guests:
            async with open_app_server(Starlette(routes=[Mount("/play", build_app(guests))]), sock):
                yield sock.getsockname()[1], guests
