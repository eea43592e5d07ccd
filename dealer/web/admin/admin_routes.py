"""Orders over HTTP: a POST with a token and a JSON object, answered by a JSON object."""

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from dealer.desk.desk import Desk
from dealer.desk.files import Making, read_wanted
from dealer.desk.orders import ORDER_BYTES, OrderRefused, read_order
from dealer.errors import BadOrderError
from dealer.web.admin.guard import RequestRefused

#: Where orders are posted.
PATH = "/desk"

#: Where files are asked for, behind the path of the desk or of the host's page.
FILES = "/files"


def desk_routes(
    desk: Desk, check: Callable[[Request], None], orders: str = PATH, download: str = PATH + FILES
) -> list[Route]:
    """The routes for orders, and for files to take home.

    An answer to an order has ``said``, a sentence for the host, and ``state``. Who asks for a file gets it or, with
    status 202, ``making``: how far it is, and asks again then. A refused request has ``error`` instead, and a status:
    400, 413 and 415 for what is no order, 401 and 429 for a wrong token, 403 for a foreign page, 409 for an order that
    cannot be carried out now.

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
        try:
            said = await desk.obey(order)
        except OrderRefused as refusal:
            return answer(409, {"error": str(refusal), "state": desk.view.look()})
        return answer(200, {"said": said, "state": desk.view.look(order.command)})

    @answering
    async def give(request: Request) -> Response:
        check(request)
        found = await desk.files.take(read_wanted(await json_body(request)))
        if isinstance(found, Making):
            return answer(202, {"making": found.facts})
        headers = {"cache-control": "no-store"}
        return FileResponse(found.path, media_type="application/octet-stream", filename=found.name, headers=headers)

    return [Route(orders, take, methods=["POST"]), Route(download, give, methods=["POST"])]


Endpoint = Callable[[Request], Awaitable[Response]]


def answering(endpoint: Endpoint) -> Endpoint:
    """An endpoint whose ``RequestRefused`` and ``BadOrderError`` are answered with ``error`` and their status."""

    async def answered(request: Request) -> Response:
        try:
            return await endpoint(request)
        except RequestRefused as rejected:
            return answer(rejected.status, {"error": str(rejected)}, rejected.headers)
        except BadOrderError as error:
            return answer(400, {"error": str(error)})
        except OrderRefused as refusal:
            return answer(409, {"error": str(refusal)})

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
