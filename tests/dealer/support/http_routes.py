"""Routes on a real port, and requests to them that a test writes byte by byte."""

import json
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import h11
import trio
from hypercorn.config import Config
from hypercorn.trio import serve
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from tests.dealer.support.rig import HOST


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def facts(self) -> Any:
        """The body, if it is JSON."""
        return json.loads(self.body)


@asynccontextmanager
async def serve_routes(routes: Sequence[BaseRoute]) -> AsyncIterator[int]:
    """Serve on a free port of loopback while the block runs; the port."""
    sock = socket.create_server((HOST, 0))
    port: int = sock.getsockname()[1]
    config = Config()
    config.bind = [f"fd://{sock.detach()}"]  # the server closes it
    config.errorlog = config.accesslog = None
    config.graceful_timeout = 0.1
    stop = trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_serve, Starlette(routes=list(routes)), config, stop)
        try:
            yield port
        finally:
            stop.set()


async def _serve(app: Any, config: Config, stop: trio.Event) -> None:
    await serve(app, config, shutdown_trigger=stop.wait)


async def request(
    port: int, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
) -> Reply:
    """One request on a connection of its own; ``headers`` may replace any that a client sends by itself."""
    all_headers = {"host": f"{HOST}:{port}", "connection": "close", "content-length": str(len(body)), **(headers or {})}
    connection = h11.Connection(h11.CLIENT)
    async with await trio.open_tcp_stream(HOST, port) as stream:
        sent = connection.send(
            h11.Request(
                method=method,
                target=path,
                headers=[(name.encode(), value.encode()) for name, value in all_headers.items()],
            )
        )
        await stream.send_all((sent or b"") + (connection.send(h11.Data(data=body)) or b""))
        return await _reply(connection, stream)


async def _reply(connection: h11.Connection, stream: trio.SocketStream) -> Reply:
    status, headers, body = 0, {}, b""
    while True:
        match connection.next_event():
            case h11.NEED_DATA:
                connection.receive_data(bytes(await stream.receive_some(65536)))
            case h11.Response() as response:
                status = response.status_code
                headers = {name.decode(): value.decode() for name, value in response.headers}
            case h11.Data() as data:
                body += bytes(data.data)
            case h11.EndOfMessage() | h11.ConnectionClosed():
                return Reply(status, headers, body)
