"""``/metrics`` and ``/healthz``: what a monitor asks of a page is asked of its dealer."""

from collections.abc import Callable

import trio
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from dealer.errors import StreamError
from dealer.web.admin.stream_desk import StreamDesk

#: Seconds for which an answer of ``/metrics`` is repeated: figures are counted over all players when they are asked
#: for, and asking often must not slow the tables.
FRESH_SECONDS = 1.0


def monitor_routes(desk: StreamDesk, viewers: Callable[[], int]) -> list[Route]:
    """The routes that a monitor asks: ``/metrics`` for Prometheus, ``/healthz`` for a health check.

    Args:
        desk: asks the dealer.
        viewers: counts the browsers that watch the page.
    """
    known, until, counting = b"", float("-inf"), trio.Lock()

    async def metrics(_: Request) -> Response:
        nonlocal known, until
        async with counting:
            if trio.current_time() >= until:
                try:
                    known = await desk.metrics(viewers())
                except StreamError as gone:
                    return PlainTextResponse(f"{gone}\n", 503)
                until = trio.current_time() + FRESH_SECONDS
        return Response(known, headers={"content-type": CONTENT_TYPE_LATEST})

    async def health(_: Request) -> Response:
        try:
            facts = await desk.health()
        except StreamError as gone:
            facts = {"status": "trouble", "reason": str(gone)}
        return JSONResponse(facts, 200 if facts["status"] == "ok" else 503)

    return [Route("/metrics", metrics), Route("/healthz", health)]
