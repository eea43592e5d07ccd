"""The dealer stands still: what lies in the socket when it runs again was in time, and everybody gets the time back."""

import gc
import time

import trio

from dealer.net.stalls import STALL_SECONDS
from protocol.games.base import FOLD
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import TURN, open_logged_in_seat


async def test_long_garbage_collection_makes_nobody_late() -> None:
    """On the real clock: the reply lies in the socket while Python collects garbage for twice the limit."""
    kept: list[object] = []
    collection = 0.0
    while collection < 5 * STALL_SECONDS:
        kept.append([[] for _ in range(500_000)])
        began = time.perf_counter()
        gc.collect()
        collection = time.perf_counter() - began

    async def reply_and_collect(peer: Peer) -> None:
        await peer.hear()
        await peer.say("fold")
        gc.collect()

    async with open_logged_in_seat(limit=collection / 2) as ends, trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(reply_and_collect, ends.peer)
            assert await ends.seat.ask(TURN) is FOLD
