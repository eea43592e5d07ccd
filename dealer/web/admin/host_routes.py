"""The host's page at ``/host``: its files for all, and what they show and do for a host who has given the token."""

from importlib.resources import files

import structlog
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from dealer.web.admin.admin_routes import FILES, answer, answering, given, json_body, obeyed
from dealer.web.admin.files import Files
from dealer.web.admin.guard import RequestRefused
from dealer.web.admin.host_desk import Desk
from dealer.web.admin.host_stream import HostStream
from dealer.web.admin.sessions import Sessions
from dealer.web.board import Board

log = structlog.get_logger()

#: Where the host's page is.
PATH = "/host"

#: Streams of hosts at once; each costs a look at the whole tournament.
STREAMS = 8

_TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}

#: A page that another site opens in a window must not reach this one, nor may another site fetch its files.
_HEADERS = {"cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin"}


def host_routes(desk: Desk, files: Files, sessions: Sessions, board: Board) -> list[Route]:
    """The host's page and its requests, all of which are posts of JSON.

    ``/host/login`` takes the token and sets a cookie. ``/host/orders`` and ``/host/files`` answer as the desk does.
    ``/host/events`` tells what changes, and ``/host/logout`` ends the session.
    """
    streams: set[HostStream] = set()

    @answering
    async def log_in(request: Request) -> Response:
        facts = await json_body(request)
        token = facts.get("token") if isinstance(facts, dict) else None
        cookie = sessions.log_in(request, token if isinstance(token, str) else "")
        log.info("host logged in", address=_address(request))
        return answer(200, {"said": "Welcome."}, {"set-cookie": cookie})

    @answering
    async def log_out(request: Request) -> Response:
        sessions.check(request)
        return answer(200, {"said": "Locked."}, {"set-cookie": sessions.log_out(request)})

    @answering
    async def take(request: Request) -> Response:
        sessions.check(request)
        return await obeyed(desk, request)

    @answering
    async def give(request: Request) -> Response:
        sessions.check(request)
        return await given(files, request)

    @answering
    async def tell(request: Request) -> Response:
        sessions.check(request)
        if len(streams) >= STREAMS:
            raise RequestRefused(503, f"the host's page is open {STREAMS} times; close one of them")
        return HostStream(desk.view, board, _address(request), lambda: sessions.is_open(request), streams)

    return [
        Route(f"{PATH}/login", log_in, methods=["POST"]),
        Route(f"{PATH}/logout", log_out, methods=["POST"]),
        Route(f"{PATH}/orders", take, methods=["POST"]),
        Route(f"{PATH}{FILES}", give, methods=["POST"]),
        Route(f"{PATH}/events", tell, methods=["POST"]),
        *_file_routes(),
    ]


def _file_routes() -> list[Route]:
    """The files of the page, which hold nothing that a stranger may not see. They are read into memory once."""
    folder = files("dealer.web.admin").joinpath("page")
    contents = {file.name: file.read_bytes() for file in folder.iterdir()}

    def shown(name: str) -> Response:
        if name not in contents:
            return PlainTextResponse("There is no such page here.\n", 404)
        headers = {**_HEADERS, "cache-control": "no-cache", "content-type": _TYPES[name.rpartition(".")[2]]}
        return Response(contents[name], headers=headers)

    async def page(_: Request) -> Response:
        return shown("host.html")

    async def file(request: Request) -> Response:
        return shown(request.path_params["name"])

    return [Route(PATH, page), Route(f"{PATH}/{{name}}", file)]


def _address(request: Request) -> str:
    return request.client.host if request.client else "0.0.0.0"
