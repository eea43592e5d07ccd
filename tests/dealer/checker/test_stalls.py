"""The checker itself does not run for a while: no program is charged for that time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock

from dealer.checker.session.wire_log import LoggedWire, PeerGone
from dealer.net.stalls import SWEEP_SECONDS, Stalls
from protocol.wire.framing import UtfFraming
from tests.bad_bots.peer import Peer

LIMIT, STALL = 1.0, 2.5


@asynccontextmanager
async def open_wire() -> AsyncIterator[tuple[LoggedWire, Peer]]:
    """A logged connection and the program's end of it."""
    stalls = Stalls()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stalls.look_forever)
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        async with listener:
            peer = Peer(await trio.open_tcp_stream("127.0.0.1", listener.socket.getsockname()[1]))
            async with peer.stream, await listener.accept() as stream:
                yield LoggedWire(stream, UtfFraming(), stalls), peer
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("after", "more"), [(0.0, 0.0), (LIMIT / 2, 0.0), (LIMIT - SWEEP_SECONDS, 0.0), (LIMIT / 4, LIMIT / 4)]
)
async def test_reply_behind_a_stall_is_in_time(after: float, more: float, tcp_clock: MockClock) -> None:
    """A program takes some time before the stall and some behind it, and gets the time of the stall back."""

    async def stand_still_and_reply(peer: Peer) -> None:
        await trio.sleep(after)
        tcp_clock.jump(STALL)
        await trio.sleep(more)
        await peer.say("fold")

    async with open_wire() as (wire, peer), trio.open_nursery() as nursery:
        await wire.send("bet1")
        nursery.start_soon(stand_still_and_reply, peer)
        came = await wire.hear(LIMIT)
        assert came is not None
        assert came.known() == "fold"
        taken = after + more
        assert taken - (1 + bool(more)) * SWEEP_SECONDS <= came.seconds <= taken + 2 * SWEEP_SECONDS


async def test_silence_is_late_after_the_stall(tcp_clock: MockClock) -> None:
    async with open_wire() as (wire, _), trio.open_nursery() as nursery:

        async def stand_still() -> None:
            await trio.sleep(LIMIT / 2)
            tcp_clock.jump(STALL)

        nursery.start_soon(stand_still)
        await wire.send("bet1")
        began = trio.current_time()
        assert await wire.hear(LIMIT) is None
        assert trio.current_time() - began == pytest.approx(LIMIT + STALL, abs=2 * SWEEP_SECONDS)


async def test_program_that_closes_behind_a_stall_has_closed(tcp_clock: MockClock) -> None:
    async def stand_still_and_leave(peer: Peer) -> None:
        await trio.sleep(LIMIT / 2)
        tcp_clock.jump(STALL)
        await peer.stream.aclose()

    async with open_wire() as (wire, peer), trio.open_nursery() as nursery:
        await wire.send("done:over")
        nursery.start_soon(stand_still_and_leave, peer)
        assert await wire.linger(LIMIT) == b""
        assert wire.gone
        assert wire.tape[-1].seconds == pytest.approx(LIMIT / 2, abs=2 * SWEEP_SECONDS)
        with pytest.raises(PeerGone):
            await wire.hear(LIMIT)
