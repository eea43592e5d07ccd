"""Orders over HTTP: a POST with a token and a JSON object, answered by a JSON object."""

import json
from contextlib import aclosing
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dealer.errors import BadOrderError
from dealer.web.admin.guard import Guard, RequestRefused
from dealer.web.admin.host_desk import Desk
from dealer.web.admin.orders import Order, OrderRefused, read_order

#: Where orders are posted.
PATH = "/desk"

#: Bytes of the longest order.
BODY_BYTES = 4096


def desk_routes(desk: Desk, guard: Guard) -> list[Route]:
    """The route for orders, and the two files with which the page gives them: ``/desk.js`` and ``/desk.css``.

    An answer has ``said``, a sentence for the host, and ``state``. A refused request has ``error`` instead, and a
    status: 400, 413 and 415 for what is no order, 401 and 429 for a wrong token, 403 for a foreign page, 409 for an
    order that cannot be carried out now.
    """

    async def take(request: Request) -> JSONResponse:
        try:
            guard.check(request)
            order = await _order(request)
            said = await desk.obey(order)
        except RequestRefused as rejected:
            return _answer(rejected.status, {"error": str(rejected)}, rejected.headers)
        except BadOrderError as error:
            return _answer(400, {"error": str(error)})
        except OrderRefused as refusal:
            return _answer(409, {"error": str(refusal), "state": desk.look()})
        return _answer(200, {"said": said, "state": desk.look(order.command)})

    script, style = (_read(name) for name in ("desk.js", "desk.css"))

    async def show_script(_: Request) -> Response:
        return Response(script, media_type="text/javascript", headers={"cache-control": "no-cache"})

    async def show_style(_: Request) -> Response:
        return Response(style, media_type="text/css", headers={"cache-control": "no-cache"})

    return [
        Route(PATH, take, methods=["POST"]),
        Route("/desk.js", show_script),
        Route("/desk.css", show_style),
    ]


def _read(name: str) -> bytes:
    return files("dealer.web.admin").joinpath(name).read_bytes()


def _answer(status: int, facts: dict[str, object], headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(facts, status, {**(headers or {}), "cache-control": "no-store"})


async def _order(request: Request) -> Order:
    """Read the order in a request, at most ``BODY_BYTES`` of it.

    Raises:
        RequestRefused: the body is too long or of another type.
        BadOrderError: the body is no order.
    """
    # A foreign page can make a browser send forms or plain text, but JSON only after a preflight request, which the
    # desk does not answer.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestRefused(415, "the content type must be application/json")
    body = b""
    async with aclosing(request.stream()) as parts:
        async for part in parts:
            body += part
            if len(body) > BODY_BYTES:
                raise RequestRefused(413, f"an order has at most {BODY_BYTES} bytes", connection="close")
    try:
        return read_order(json.loads(body))
    except (ValueError, RecursionError):
        raise BadOrderError("the body is no JSON") from None
