"""Orders over HTTP: a POST with a token and a JSON object, answered by a JSON object."""

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any
from urllib.parse import quote

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from dealer.desk.orders import ORDER_BYTES, OrderRefused, read_order, read_wanted
from dealer.errors import BadOrderError, StreamError
from dealer.web.admin.guard import RequestRefused
from dealer.web.admin.stream_desk import Found, StreamDesk
from dealer.web.stream import LiveResponse, Say

log = structlog.get_logger()

#: Where orders are posted.
PATH = "/desk"

#: Where files are asked for, behind the path of the desk or of the host's page.
FILES = "/files"


def desk_routes(
    desk: StreamDesk, check: Callable[[Request], None], orders: str = PATH, download: str = PATH + FILES
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
        return FileStream(found) if isinstance(found, Found) else answer(202, {"making": found})

    return [Route(orders, take, methods=["POST"]), Route(download, give, methods=["POST"])]


class FileStream(LiveResponse):
    """A file to take home, piece by piece. If a piece is missing, the connection ends before the body does."""

    def __init__(self, found: Found) -> None:
        name = quote(found.name)
        given = f'filename="{name}"' if name == found.name else f"filename*=utf-8''{name}"
        super().__init__("application/octet-stream", b"", {"content-disposition": f"attachment; {given}"})
        self._found = found

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file, and close it (ASGI)."""
        async with self._found.source:
            await super().__call__(scope, receive, send)

    async def _tell(self, say: Say) -> None:
        try:
            while piece := await self._found.read():
                await say(piece)
        except StreamError as gone:
            log.warning("a file is not whole", name=self._found.name, reason=str(gone))
            self._last = None


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
