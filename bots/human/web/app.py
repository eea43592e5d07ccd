"""The page as a web application (ASGI): a few files, and a WebSocket for each browser."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files

import structlog
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from bots.human.web.browser import Browser
from bots.human.web.dealer_room import DealerRoom, Door
from bots.human.web.guests import Guests, open_guests
from protocol.installed import entry_points

log = structlog.get_logger()

#: Installed files that pages share, such as those that draw cards: entry points of this group give them by name.
SHARED = "casino.page_files"

#: Content types by the ending of a file's name.
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def build_app(guests: Guests) -> Starlette:
    """Make the application that serves the page to people who play."""
    assets = read_assets()

    async def page(_: Request) -> Response:
        return _asset(assets, "index.html")

    async def asset(request: Request) -> Response:
        return _asset(assets, request.path_params["name"])

    async def play(socket: WebSocket) -> None:
        await _serve_browser(socket, guests)

    return Starlette(routes=[Route("/", page), WebSocketRoute("/socket", play), Route("/{name}", asset)])


def read_assets() -> Mapping[str, bytes]:
    """Read the files of the page into memory, by name, and those that it shares with the projector's page."""
    shared: dict[str, bytes] = {}
    for point in entry_points(group=SHARED):
        shared |= point.load()()
    own = files("bots.human.web").joinpath("page")
    return shared | {file.name: file.read_bytes() for file in own.iterdir()}


def _asset(assets: Mapping[str, bytes], name: str) -> Response:
    if name not in assets:
        return PlainTextResponse("There is no such page here.\n", 404)
    headers = {"cache-control": "no-cache", "content-type": TYPES[name.rpartition(".")[2]]}
    return Response(assets[name], headers=headers)


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
        door: of the dealer.
        most: how many people may play at once.
    """
    async with open_guests(DealerRoom(door), most) as guests:
        yield build_app(guests), guests
