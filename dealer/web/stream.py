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
    piece of the body, and hypercorn then waits for seconds.

    Args:
        media_type: of the body.
        tell: says all pieces but the last, which it returns; with None the connection ends in the middle of the body,
            and the viewer knows that something is missing.
        more_headers: of the response.
    """

    def __init__(
        self, media_type: str, tell: Callable[[Say], Awaitable[bytes | None]], more_headers: Mapping[str, str] = {}
    ) -> None:
        self._all_headers = {
            "content-type": media_type, "cache-control": "no-store", "connection": "close", **more_headers
        }  # fmt: skip
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the body (ASGI)."""
        headers = [(name.encode(), value.encode()) for name, value in self._all_headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        last: bytes | None = b""
        async with trio.open_nursery() as nursery:

            async def leave_with_viewer() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                nursery.cancel_scope.cancel()

            async def say(piece: bytes) -> None:
                await send({"type": "http.response.body", "body": piece, "more_body": True})

            nursery.start_soon(leave_with_viewer)
            last = await self._tell(say)
            nursery.cancel_scope.cancel()
        if last is not None:
            await send({"type": "http.response.body", "body": last, "more_body": False})


def event_stream(board: Board, table: int | None, address: str) -> LiveResponse:
    """All messages of a board, then those that change, until the viewer leaves or the board is closed."""

    async def tell(say: Say) -> bytes:
        seen, silent = 0, False
        with board.watched(table, address):
            await say(RETRY)
            while True:
                piece, seen = board.since(seen, table), board.version
                if piece or silent:
                    await say(piece or PING)
                if board.over and seen == board.version:
                    return BYE
                with trio.move_on_after(PING_SECONDS) as waiting:
                    while seen == board.version and not board.over:
                        await board.changed()
                silent = waiting.cancelled_caught

    return LiveResponse("text/event-stream; charset=utf-8", tell)
