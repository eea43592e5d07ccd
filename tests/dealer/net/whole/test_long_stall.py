"""The dealer stands still: what lies in the socket when it runs again was in time, and everybody gets the time back."""

import time

import trio

from protocol.games.base import FOLD
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import TURN, open_logged_in_seat


async def test_long_stall_makes_nobody_late() -> None:
    """On the real clock: the reply lies in the socket while the process does something else for twice the limit."""

    async def reply_and_stand_still(peer: Peer) -> None:
        await peer.hear()
        await peer.say("fold")
        time.sleep(4.0)  # no other task runs meanwhile

    async with open_logged_in_seat(limit=2.0) as ends, trio.open_nursery() as nursery:
        nursery.start_soon(reply_and_stand_still, ends.peer)
        assert await ends.seat.ask(TURN) is FOLD
