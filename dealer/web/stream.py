"""A stream of server-sent events to one viewer of the page."""

from collections.abc import Awaitable, Callable, Mapping

import trio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dealer.web.board import Board

#: Seconds without news after which the viewer is sent a comment, so that it knows the connection is alive.
PING_SECONDS = 15.0

#: A comment of the stream, which browsers ignore.
PING = b": ping\n\n"

#: The last event: the page is told not to reconnect.
BYE = b"event: bye\ndata: {}\n\n"

#: Milliseconds after which a browser reconnects.
RETRY = b"retry: 1000\n\n"

#: Sends a piece of a body.
Say = Callable[[bytes], Awaitable[None]]


class LiveResponse(Response):
    """A response that goes on until the viewer leaves or there is nothing more to tell.

    Not Starlette's own ``StreamingResponse``: that one cancels itself when a viewer leaves without sending the last
    piece of the body, and hypercorn then waits for seconds. Here the last piece is sent, unless ``last`` has become
    None: then the connection ends in the middle of the body, and the viewer knows that something is missing.
    """

    def __init__(self, media_type: str, last: bytes, more_headers: Mapping[str, str] | None = None) -> None:
        self._media_type = media_type
        self._more_headers = more_headers or {}
        self._last: bytes | None = last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the body (ASGI)."""
        headers = [
            (b"content-type", self._media_type.encode()),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
            *((name.encode(), value.encode()) for name, value in self._more_headers.items()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async with trio.open_nursery() as nursery:

            async def leave_with_viewer() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                nursery.cancel_scope.cancel()

            async def say(piece: bytes) -> None:
                await send({"type": "http.response.body", "body": piece, "more_body": True})

            nursery.start_soon(leave_with_viewer)
            await self._tell(say)
            nursery.cancel_scope.cancel()
        if self._last is not None:
            await send({"type": "http.response.body", "body": self._last, "more_body": False})

    async def _tell(self, say: Say) -> None:
        """Say all pieces but the last."""
        raise NotImplementedError


class EventStream(LiveResponse):
    """All messages of a board, then those that change, until the viewer leaves or the board is closed."""

    def __init__(self, board: Board, table: int | None, address: str) -> None:
        super().__init__("text/event-stream; charset=utf-8", BYE)
        self._board = board
        self._table = table
        self._address = address

    async def _tell(self, say: Say) -> None:
        board, seen, silent = self._board, 0, False
        with board.watched(self._table, self._address):
            await say(RETRY)
            while True:
                piece, seen = board.since(seen, self._table), board.version
                if piece or silent:
                    await say(piece or PING)
                if board.over and seen == board.version:
                    return
                with trio.move_on_after(PING_SECONDS) as waiting:
                    while seen == board.version and not board.over:
                        await board.changed()
                silent = waiting.cancelled_caught
