"""The page as a web application: a few files and a stream of events. The routes of others are added to it."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO

import segno
import structlog
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dealer.web.board import Board
from dealer.web.shared_files import TYPES, file_routes
from dealer.web.stream import event_stream

log = structlog.get_logger()

#: The style sheets of the page, in their order.
STYLES = ("frame.css", "colours.css", "board.css", "table.css", "views.css")

#: Names come from strangers. Should one ever get into the page as HTML, these headers let no browser run a script in
#: it.
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


def build_app(board: Board, routes: Sequence[BaseRoute] = ()) -> Starlette:
    """Make the application that serves a board.

    Args:
        board: what is shown.
        routes: what else is served on the same port. They come first, so they may replace files of the page.
    """

    async def qr_code(_: Request) -> Response:
        address = board.page_address
        if address is None:
            return PlainTextResponse("Only this machine reaches the page.\n", 404)
        return Response(_qr_code(address), headers={"cache-control": "no-cache", "content-type": TYPES["svg"]})

    async def events(request: Request) -> Response:
        table, address = request.query_params.get("table"), request.client.host if request.client else "0.0.0.0"
        if table is not None and not (table.isascii() and table.isdigit() and len(table) <= 6):
            return PlainTextResponse("A table is a number from 0.\n", 400)
        if not board.has_room(address):
            return PlainTextResponse("Too many are watching; try again later.\n", 503)
        return event_stream(board, None if table is None else int(table), address)

    return Starlette(
        routes=[
            *routes,
            Route("/events", events),
            Route("/qr.svg", qr_code),
            *file_routes(page_files(), "/", "index.html"),
        ],
        middleware=[Middleware(strict_headers)],
        exception_handlers={Exception: _failed},
    )


def page_files() -> Mapping[str, bytes]:
    """The files of the page by name; its style sheets in one, ``page.css``, since a browser paints after the last."""
    found = {file.name: file.read_bytes() for file in files("dealer.web").joinpath("page").iterdir()}
    return found | {"page.css": b"\n".join([found[name] for name in STYLES])}


@cache
def _qr_code(address: str) -> bytes:
    picture = BytesIO()
    segno.make_qr(address, error="m").save(picture, kind="svg", border=2, light="#fff", xmldecl=False, omitsize=True)
    return picture.getvalue()


async def _failed(request: Request, error: Exception) -> Response:
    log.error("the page failed", path=request.url.path, exc_info=error)
    return PlainTextResponse("Something is wrong with this page; the dealer's log says what.\n", 500)


def strict_headers(app: ASGIApp) -> ASGIApp:
    """Middleware that adds headers which let a browser run and fetch only what comes from the page itself."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await app(scope, receive, send_strictly)

    return serve
