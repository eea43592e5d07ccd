"""The host's page at ``/host``: its files for all, and what they show and do for a host who has given the token."""

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

import structlog
import trio
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from dealer.desk.token import HostToken
from dealer.errors import StreamError
from dealer.web.admin.admin_routes import FILES, answer, answering, desk_routes, json_body
from dealer.web.admin.guard import Guard, RequestRefused, Sessions
from dealer.web.admin.stream_desk import StreamDesk
from dealer.web.board import Board
from dealer.web.stream import PING_SECONDS, LiveResponse, Say

#: Seconds between two looks at the tournament, at least.
LOOK_SECONDS = 0.5

#: Seconds between two looks if nothing has changed that the page shows to all.
QUIET_SECONDS = 1.0

#: The last line: the dealer closes its page.
BYE = b'{"bye":true}\n'


class Sight:
    """What the host sees, asked for once for all pages that are open, and not at all while none is."""

    def __init__(self, desk: StreamDesk) -> None:
        self._desk = desk
        self._lock = trio.Lock()
        self._lines: Mapping[str, bytes] = {}
        self._failed: StreamError | None = None
        self._until = float("-inf")

    async def lines(self) -> Mapping[str, bytes]:
        """All parts, each as the line that a page is told; at most ``LOOK_SECONDS`` old.

        Raises:
            StreamError: the dealer does not answer.
        """
        async with self._lock:
            if trio.current_time() >= self._until:
                self._failed = None
                try:
                    self._lines = _lines(dict(await self._desk.look()))
                except StreamError as gone:  # for all who wait: each would wait as long again
                    self._failed = gone
                self._until = trio.current_time() + LOOK_SECONDS
            if self._failed is not None:
                raise self._failed
            return self._lines


def _lines(seen: dict[str, Any]) -> Mapping[str, bytes]:
    del seen["more_incidents"], seen["more_failed_logins"]  # which are counted where not all are shown
    parts = {"players": seen.pop("players"), "incidents": seen.pop("incidents"), "logins": seen.pop("failed_logins")}
    return {name: _line(name, facts) for name, facts in ({"state": seen} | parts).items()}


class HostStream(LiveResponse):
    """All that the host sees, then the parts that change, until the host leaves or the page is closed.

    Args:
        sight: what the host sees.
        board: tells when the page is closed, and counts this viewer.
        address: of the host.
        is_open: whether the session has not ended.
        streams: all that are open; this one is among them while it is sent.
    """

    def __init__(
        self, sight: Sight, board: Board, address: str, is_open: Callable[[], bool], streams: set["HostStream"]
    ) -> None:
        super().__init__("application/x-ndjson", BYE)
        self._sight = sight
        self._board = board
        self._address = address
        self._is_open = is_open
        self._streams = streams
        self._told: Mapping[str, bytes] = {}

    async def _tell(self, say: Say) -> None:
        self._streams.add(self)
        try:
            with self._board.watched(None, self._address):
                await self._tell_news(say)
        except StreamError:
            self._last = b""  # the page is there still: it asks again, and is told why there is no answer
        finally:
            self._streams.discard(self)

    async def _tell_news(self, say: Say) -> None:
        said = trio.current_time()
        while self._is_open():
            piece = self._news(await self._sight.lines())
            if piece or trio.current_time() > said + PING_SECONDS:
                await say(piece or b"{}\n")
                said = trio.current_time()
            if self._board.over:
                return
            with trio.move_on_after(LOOK_SECONDS):
                await self._closed()
            with trio.move_on_after(QUIET_SECONDS - LOOK_SECONDS):
                await self._board.changed()

    async def _closed(self) -> None:
        while not self._board.over:
            await self._board.changed()

    def _news(self, lines: Mapping[str, bytes]) -> bytes:
        """The parts that have changed since they were told last."""
        news = [line for name, line in lines.items() if self._told.get(name) != line]
        self._told = lines
        return b"".join(news)


def _line(name: str, facts: Any) -> bytes:
    return json.dumps({name: facts}, separators=(",", ":")).encode() + b"\n"


log = structlog.get_logger()

#: Where the host's page is.
PATH = "/host"

#: Streams of hosts at once; each costs a look at the whole tournament.
STREAMS = 8

_TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}

#: A page that another site opens in a window must not reach this one, nor may another site fetch its files.
_HEADERS = {"cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin"}


def cockpit_routes(desk: StreamDesk, token: HostToken, board: Board) -> list[Route]:
    """The host's page and the desk, for whoever knows the token."""
    guard = Guard(token)
    return [*desk_routes(desk, guard.check), *host_routes(desk, Sessions(guard), board)]


def host_routes(desk: StreamDesk, sessions: Sessions, board: Board) -> list[Route]:
    """The host's page and its requests, all of which are posts of JSON.

    ``/host/login`` takes the token and sets a cookie. ``/host/orders`` and ``/host/files`` answer as the desk does.
    ``/host/events`` tells what changes, and ``/host/logout`` ends the session.
    """
    streams: set[HostStream] = set()
    sight = Sight(desk)

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
    async def tell(request: Request) -> Response:
        sessions.check(request)
        if len(streams) >= STREAMS:
            raise RequestRefused(503, f"the host's page is open {STREAMS} times; close one of them")
        await sight.lines()  # a dealer that does not answer has a status
        return HostStream(sight, board, _address(request), lambda: sessions.is_open(request), streams)

    return [
        Route(f"{PATH}/login", log_in, methods=["POST"]),
        Route(f"{PATH}/logout", log_out, methods=["POST"]),
        *desk_routes(desk, sessions.check, f"{PATH}/orders", f"{PATH}{FILES}"),
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
