"""A dealer for two players without input, and programs A and B, whose moves a test makes."""

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.bad_bots.peer import Peer
from tests.end_to_end.casino import Running, start
from tests.end_to_end.hosted import SERVE, open_peer


@asynccontextmanager
async def serve(*words: str | Path) -> AsyncIterator[Running]:
    async with start(*SERVE, "--seats", "2", *words, stdin=subprocess.DEVNULL) as running:
        yield running


@asynccontextmanager
async def two_players(running: Running) -> AsyncIterator[tuple[Peer, Peer]]:
    """Both of them, once they have logged in."""
    port = await running.port()
    async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
        yield a, b
