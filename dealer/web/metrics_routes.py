"""``/metrics`` and ``/healthz``."""

from collections.abc import Callable

import trio
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from dealer.tournament.scene import Scene
from dealer.web.metrics import TournamentCollector

FRESH_SECONDS = 1.0
"""How long an answer stays good: whoever asks more often costs the tables nothing."""


def metrics_routes(scene: Scene, viewers: Callable[[], int]) -> list[Route]:
    """What a monitor asks; see ``TournamentCollector``."""
    registry = CollectorRegistry()
    registry.register(TournamentCollector(scene, viewers))
    cached: tuple[float, bytes] | None = None

    async def metrics(_: Request) -> Response:
        nonlocal cached
        now = trio.current_time()
        if cached is None or now - cached[0] >= FRESH_SECONDS:
            cached = now, generate_latest(registry)
        return Response(cached[1], headers={"content-type": CONTENT_TYPE_LATEST})

    async def health(_: Request) -> Response:
        facts = {"status": "ok", "phase": phase(scene)}
        trouble = scene.journal and scene.journal.trouble
        if trouble is None:
            return JSONResponse(facts)
        return JSONResponse({**facts, "status": "trouble", "reason": trouble}, 503)

    return [Route("/metrics", metrics), Route("/healthz", health)]


def phase(scene: Scene) -> str:
    """``lobby``, ``playing`` or ``ended``."""
    if scene.tournament is None:
        return "lobby"
    return "ended" if scene.tournament.over else "playing"
