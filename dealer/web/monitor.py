"""``/metrics`` and ``/healthz``: what a monitor asks of a page is asked of its dealer."""

from collections.abc import Awaitable, Callable

import trio
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from dealer.errors import StreamError
from dealer.web.admin.stream_desk import StreamDesk

#: Seconds for which an answer is repeated: figures are counted over all players when they are asked for, and asking
#: often must not slow the tables.
FRESH_SECONDS = 1.0


def monitor_routes(desk: StreamDesk, viewers: Callable[[], int]) -> list[Route]:
    """The routes that a monitor asks: ``/metrics`` for Prometheus, ``/healthz`` for a health check.

    Args:
        desk: asks the dealer.
        viewers: counts the browsers that watch the page.
    """

    async def metrics() -> Response:
        try:
            return Response(await desk.metrics(viewers()), headers={"content-type": CONTENT_TYPE_LATEST})
        except StreamError as gone:
            return PlainTextResponse(f"{gone}\n", 503)

    async def health() -> Response:
        try:
            facts = await desk.health()
        except StreamError as gone:
            facts = {"status": "trouble", "reason": str(gone)}
        return JSONResponse(facts, 200 if facts["status"] == "ok" else 503)

    return [Route("/metrics", _fresh(metrics)), Route("/healthz", _fresh(health))]


def _fresh(ask: Callable[[], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Answer requests with what ``ask`` returns, which is called for all of them at most every ``FRESH_SECONDS``."""
    known: Response | None = None
    until, asking = float("-inf"), trio.Lock()

    async def answer(_: Request) -> Response:
        nonlocal known, until
        async with asking:
            if known is None or trio.current_time() >= until:
                known, until = await ask(), trio.current_time() + FRESH_SECONDS
            return known

    return answer
