"""The desk over HTTP: orders as posts of JSON from whoever has the token, and the host's page at ``/host``.

The page's files are for all. What it shows and does is for a host who has given the token once; then a cookie stands
for that.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import structlog
import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dealer.desk.orders import ORDER_BYTES, OrderRefused, read_order, read_wanted
from dealer.desk.token import HostToken
from dealer.errors import BadOrderError, StreamError
from dealer.web.admin.guard import Guard, RequestRefused
from dealer.web.admin.stream_desk import Found, StreamDesk
from dealer.web.board import Board
from dealer.web.shared_files import file_routes
from dealer.web.stream import PING_SECONDS, LiveResponse, Say

log = structlog.get_logger()

#: Where orders are posted.
DESK_PATH = "/desk"

#: Where files are asked for, behind the path of the desk or of the host's page.
FILES = "/files"


def desk_routes(
    desk: StreamDesk, check: Callable[[Request], None], orders: str = DESK_PATH, download: str = DESK_PATH + FILES
) -> list[Route]:
    """The routes for orders, and for files to take home.

    An answer to an order has ``said``, a sentence for the host, and ``state``. Who asks for a file gets it or, with
    status 202, ``making``: how far it is, and asks again then. A refused request has ``error`` instead, and a status:
    400, 413 and 415 for what is no order, 401 and 429 for a wrong token, 403 for a foreign page, 409 for an order that
    cannot be carried out now, 503 where the dealer is another process and does not answer.

    Args:
        desk: carries out orders and makes files.
        check: raises ``RequestRefused`` for a request that does not come from the host.
        orders: the path of orders.
        download: the path of files.
    """

    @answering
    async def take(request: Request) -> Response:
        check(request)
        order = read_order(await json_body(request))
        facts = await desk.obey(order)
        return answer(409 if "error" in facts else 200, facts)

    @answering
    async def give(request: Request) -> Response:
        check(request)
        found = await desk.take(read_wanted(await json_body(request)))
        return file_stream(found) if isinstance(found, Found) else answer(202, {"making": found})

    return [Route(orders, take, methods=["POST"]), Route(download, give, methods=["POST"])]


def file_stream(found: Found) -> LiveResponse:
    """A file to take home, piece by piece. If a piece is missing, the connection ends before the body does."""
    name = quote(found.name)
    given = f'filename="{name}"' if name == found.name else f"filename*=utf-8''{name}"

    async def tell(say: Say) -> bytes | None:
        async with found.source:
            try:
                while piece := await found.read():
                    await say(piece)
            except StreamError as gone:
                log.warning("a file is not whole", name=found.name, reason=str(gone))
                return None
        return b""

    return LiveResponse("application/octet-stream", tell, {"content-disposition": f"attachment; {given}"})


Endpoint = Callable[[Request], Awaitable[Response]]


def answering(endpoint: Endpoint) -> Endpoint:
    """An endpoint whose refusals, and a dealer that does not answer, are answered with ``error`` and their status."""

    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except RequestRefused as rejected:
            return answer(rejected.status, {"error": str(rejected)}, rejected.headers)
        except BadOrderError as error:
            return answer(400, {"error": str(error)})
        except OrderRefused as refusal:
            return answer(409, {"error": str(refusal)})
        except StreamError as gone:
            return answer(503, {"error": str(gone)})

    return answered


def answer(status: int, facts: Mapping[str, object], headers: Mapping[str, str] | None = None) -> JSONResponse:
    """An answer that no cache keeps."""
    return JSONResponse(facts, status, {**(headers or {}), "cache-control": "no-store"})


async def json_body(request: Request) -> Any:
    """Read the JSON value in a request of at most ``ORDER_BYTES``.

    Raises:
        RequestRefused: the body is too long or of another type.
        BadOrderError: the body is no JSON.
    """
    # A foreign page can make a browser send forms or plain text, but JSON only after a preflight request, which the
    # desk does not answer.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestRefused(415, "the content type must be application/json")
    body = b""
    async with aclosing(request.stream()) as parts:
        async for part in parts:
            body += part
            if len(body) > ORDER_BYTES:
                raise RequestRefused(413, f"an order has at most {ORDER_BYTES} bytes", connection="close")
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise BadOrderError("the body is no JSON") from None


#: Seconds between two looks at the tournament, at least.
LOOK_SECONDS = 0.5

#: Seconds between two looks if nothing has changed that the page shows to all.
QUIET_SECONDS = 1.0

#: The last line: the dealer closes its page.
BYE = b'{"bye":true}\n'


class Sight:
    """What the host sees, asked for once for all pages that are open, and not at all while none is.

    Attributes:
        streams: how many are open.
    """

    def __init__(self, desk: StreamDesk) -> None:
        self.streams = 0
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


def host_stream(sight: Sight, board: Board, address: str, is_open: Callable[[], bool]) -> LiveResponse:
    """All that the host sees, then the parts that change, until the host leaves or the page is closed.

    Args:
        sight: what the host sees.
        board: tells when the page is closed, and counts this viewer.
        address: of the host.
        is_open: whether the session has not ended.
    """

    async def closed() -> None:
        while not board.over:
            await board.changed()

    async def tell(say: Say) -> bytes:
        told, said = dict[str, bytes](), trio.current_time()
        while is_open():
            lines = await sight.lines()
            piece = b"".join([line for name, line in lines.items() if told.get(name) != line])
            told = {**lines}
            if piece or trio.current_time() > said + PING_SECONDS:
                await say(piece or b"{}\n")
                said = trio.current_time()
            if board.over:
                break
            with trio.move_on_after(LOOK_SECONDS):
                await closed()
            with trio.move_on_after(QUIET_SECONDS - LOOK_SECONDS):
                await board.changed()
        return BYE

    async def tell_counted(say: Say) -> bytes:
        sight.streams += 1
        try:
            with board.watched(None, address):
                return await tell(say)
        except StreamError:
            return b""  # the page is there still: it asks again, and is told why there is no answer
        finally:
            sight.streams -= 1

    return LiveResponse("application/x-ndjson", tell_counted)


def _line(name: str, facts: Any) -> bytes:
    return json.dumps({name: facts}, separators=(",", ":")).encode() + b"\n"


#: Where the host's page is.
PATH = "/host"

#: Streams of hosts at once; each costs a look at the whole tournament.
STREAMS = 8

#: A page that another site opens in a window must not reach this one, nor may another site fetch its files.
_HEADERS = {"cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin"}


def cockpit_routes(desk: StreamDesk, token: HostToken, board: Board) -> list[Route]:
    """The desk and the host's page, for whoever knows the token. All requests of the page are posts of JSON.

    ``/host/login`` takes the token and sets a cookie. ``/host/orders`` and ``/host/files`` answer as the desk does.
    ``/host/events`` tells what changes, and ``/host/logout`` ends the session.
    """
    guard, folder = Guard(token), files("dealer.web.admin").joinpath("page")
    sight = Sight(desk)

    @answering
    async def log_in(request: Request) -> Response:
        facts = await json_body(request)
        token = facts.get("token") if isinstance(facts, dict) else None
        cookie = guard.log_in(request, token if isinstance(token, str) else "")
        log.info("host logged in", address=_address(request))
        return answer(200, {"said": "Welcome."}, {"set-cookie": cookie})

    @answering
    async def log_out(request: Request) -> Response:
        guard.check(request)
        return answer(200, {"said": "Locked."}, {"set-cookie": guard.log_out(request)})

    @answering
    async def tell(request: Request) -> Response:
        guard.check(request)
        if sight.streams >= STREAMS:
            raise RequestRefused(503, f"the host's page is open {STREAMS} times; close one of them")
        await sight.lines()  # a dealer that does not answer has a status
        return host_stream(sight, board, _address(request), lambda: guard.is_open(request))

    return [
        *desk_routes(desk, guard.check_token),
        Route(f"{PATH}/login", log_in, methods=["POST"]),
        Route(f"{PATH}/logout", log_out, methods=["POST"]),
        *desk_routes(desk, guard.check, f"{PATH}/orders", f"{PATH}{FILES}"),
        Route(f"{PATH}/events", tell, methods=["POST"]),
        # The files of the page hold nothing that a stranger may not see.
        *file_routes({file.name: file.read_bytes() for file in folder.iterdir()}, PATH, "host.html", _HEADERS),
    ]


def _address(request: Request) -> str:
    return request.client.host if request.client else "0.0.0.0"
