"""A program's end of a WebSocket, with no scruples: it sends whatever it is told to, at any time."""

from collections.abc import Sequence
from typing import Any

import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Pong, Request, TextMessage

from tests.dealer.support.rig import HOST, Rig


class WebPeer:
    """The end of a stream, as messages.

    Attributes:
        heard: every message so far.
        pongs: what came back for pings.
        code: with which the dealer has closed; None before that.
    """

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.socket = WSConnection(ConnectionType.CLIENT)
        self.heard: list[str] = []
        self.pongs: list[bytes] = []
        self.code: int | None = None
        self._waiting: list[str] = []

    async def upgrade(self, origins: Sequence[str] = ()) -> None:
        """Ask for a WebSocket; the dealer must agree."""
        headers = [(b"Origin", origin.encode()) for origin in origins]
        await self.stream.send_all(self.socket.send(Request(HOST, "/", extra_headers=headers)))
        while self.socket.connection is None:
            data = await self.stream.receive_some()
            assert data, "no WebSocket"
            # A library of wsproto passes what comes behind the answer over.
            head, end, rest = bytes(data).partition(b"\r\n\r\n")
            self.socket.receive_data(head + end)
            assert [type(event) for event in self.socket.events()] == [AcceptConnection]
            self.socket.receive_data(rest)

    async def send(self, *events: Any) -> None:
        """Send frames, all at once."""
        await self.stream.send_all(b"".join(self.socket.send(event) for event in events))

    async def say(self, text: str) -> None:
        await self.send(TextMessage(text))

    async def hear(self) -> str | None:
        """The next message; None when there will be none."""
        while True:
            for event in self.socket.events():
                if isinstance(event, TextMessage):
                    self._waiting.append(event.data)
                elif isinstance(event, Pong):
                    self.pongs.append(bytes(event.payload))
                elif isinstance(event, CloseConnection):
                    self.code = event.code
            if self._waiting:
                self.heard.append(self._waiting.pop(0))
                return self.heard[-1]
            try:
                data = await self.stream.receive_some()
            except trio.BrokenResourceError:
                data = b""
            if not data:
                return None
            self.socket.receive_data(data)

    async def hear_out(self) -> None:
        """Listen until the dealer ends the session."""
        while await self.hear() is not None:
            pass

    async def log_in(self, login: str) -> None:
        """Come as any program does."""
        await self.upgrade()
        assert await self.hear() == "login"
        await self.say(login)

    async def hear_question(self) -> str | None:
        """The next question; None when there will be none."""
        while (text := await self.hear()) is not None:
            if text.startswith("bet"):
                return text
        return None

    async def play_out(self) -> None:
        """Fold until the end."""
        while await self.hear_question() is not None:
            await self.say("fold")


async def web_peer(rig: Rig) -> WebPeer:
    """A new connection, which is closed at the end at the latest."""
    stream = await rig.connect()
    rig.nursery.start_soon(_closed_at_the_end, stream)
    return WebPeer(stream)


async def _closed_at_the_end(stream: trio.SocketStream) -> None:
    async with stream:
        await trio.sleep_forever()
