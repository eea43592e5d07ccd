"""The host's page, as a browser speaks for it over HTTP."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any

import h11
import trio

from tests.dealer.support.http_routes import Reply, request
from tests.dealer.support.rig import HOST


class HostPage:
    """The page of a host.

    Attributes:
        cookie: of its session; empty before the login.
    """

    def __init__(self, port: int, token: str) -> None:
        self.cookie = ""
        self._port = port
        self._token = token

    async def post(self, path: str, facts: Any, headers: Mapping[str, str] | None = None) -> Reply:
        """Send JSON as the page does; ``headers`` replace its own, and an empty one is left out."""
        own = {**self._headers, **(headers or {})}
        filled = {name: value for name, value in own.items() if value}
        return await request(self._port, "POST", path, filled, json.dumps(facts).encode())

    @property
    def _headers(self) -> dict[str, str]:
        return {"origin": f"http://{HOST}:{self._port}", "content-type": "application/json", "cookie": self.cookie}

    async def log_in(self) -> Reply:
        """Give the token, and keep the cookie."""
        reply = await self.post("/host/login", {"token": self._token})
        self.cookie = reply.headers["set-cookie"].partition(";")[0]
        return reply

    @asynccontextmanager
    async def followed(self) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
        """What the page is told, line by line."""
        connection = h11.Connection(h11.CLIENT)
        headers = {**self._headers, "host": f"{HOST}:{self._port}", "content-length": "2"}
        sent = connection.send(h11.Request(method="POST", target="/host/events", headers=list(headers.items())))
        sent = (sent or b"") + (connection.send(h11.Data(data=b"{}")) or b"")
        async with await trio.open_tcp_stream(HOST, self._port) as stream:
            await stream.send_all(sent)
            async with aclosing(_lines(connection, stream)) as lines:
                yield lines


async def _lines(connection: h11.Connection, stream: trio.SocketStream) -> AsyncGenerator[dict[str, Any], None]:
    half = b""
    while True:
        match connection.next_event():
            case h11.NEED_DATA:
                connection.receive_data(bytes(await stream.receive_some(65536)))
            case h11.Data() as data:
                *whole, half = (half + bytes(data.data)).split(b"\n")
                for line in whole:
                    yield json.loads(line)
            case h11.EndOfMessage() | h11.ConnectionClosed():
                return


async def told(lines: AsyncIterator[dict[str, Any]], part: str) -> Any:
    """Wait until a part is told; what it holds."""
    async for facts in lines:
        if part in facts:
            return facts[part]
    raise AssertionError(f"the stream ended without {part!r}")
