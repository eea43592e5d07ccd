"""The end of a seat and of its watchdog: ``done:`` arrives, closing takes limited time, and no socket is left."""

import trio
from trio.testing import MockClock

from dealer.net.seat import CLOSING_READS, CLOSING_SECONDS, READ_BYTES
from dealer.net.stalls import SWEEP_SECONDS
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import FRAMING, STATUS, TURN, open_logged_in_seat, open_seat


async def test_close_sends_waiting_messages_then_done(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        ends.seat.tell(STATUS)
        nursery.start_soon(ends.seat.close, "the tournament is over")
        await ends.peer.hear_out()
    assert ends.peer.heard[-2:] == ["status:win:KS:10D:10S", "done:the tournament is over"]
    assert ends.peer.ended


async def test_close_ends_as_soon_as_the_peer_closes(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        started = trio.current_time()

        async def leave_on_done() -> None:
            await ends.peer.hear_out()
            await trio.sleep(0.25)
            await ends.peer.stream.aclose()

        nursery.start_soon(leave_on_done)
        assert await ends.seat.close("over")
        assert ends.seat.closed
        assert 0.25 <= trio.current_time() - started < 0.25 + SWEEP_SECONDS


async def test_close_half_closes_before_it_closes(
    jumping_clock: MockClock,
) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(ends.seat.close, "over")
        await ends.peer.hear_out()
        assert not ends.seat.closed


async def test_close_waits_limited_time_for_the_peer(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        started = trio.current_time()
        assert not await ends.seat.close("over")
        assert ends.seat.closed
        assert CLOSING_SECONDS <= trio.current_time() - started <= CLOSING_SECONDS + SWEEP_SECONDS


async def test_closing_time_does_not_depend_on_the_reply_limit(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat(limit=0.1) as ends:
        started = trio.current_time()
        await ends.seat.close("over")
        assert CLOSING_SECONDS <= trio.current_time() - started <= CLOSING_SECONDS + SWEEP_SECONDS


async def test_close_drops_input_so_that_done_arrives(tcp_clock: MockClock) -> None:
    """Over TCP, bytes left unread turn a close into a reset, which can overtake the reason."""
    async with open_logged_in_seat(tcp=True) as ends, trio.open_nursery() as nursery:

        async def talk_on() -> None:
            await ends.peer.send(FRAMING.encode("fold") * 3000)
            await ends.peer.stream.aclose()

        nursery.start_soon(talk_on)
        await ends.seat.close("over")
        assert sum(ends.sock.reads) == 18_000


async def test_close_ends_although_the_peer_does_not_read(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        for _ in range(5000):  # more than the buffers of the socket hold
            ends.seat.tell(STATUS)
        started = trio.current_time()
        await ends.seat.close("over")
        assert ends.seat.closed
        assert trio.current_time() - started <= CLOSING_SECONDS + SWEEP_SECONDS


async def test_close_ends_although_the_peer_sends_forever(jumping_clock: MockClock) -> None:
    async def talk(peer: Peer) -> None:
        while not peer.ended:
            await peer.send(FRAMING.encode("fold"))
            await trio.sleep(0.01)

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(talk, ends.peer)
        started = trio.current_time()
        await ends.seat.close("over")
        assert trio.current_time() - started <= CLOSING_SECONDS + SWEEP_SECONDS


async def test_close_reads_a_limited_amount(jumping_clock: MockClock) -> None:
    async def pour(peer: Peer) -> None:
        while not peer.ended:
            await peer.send(FRAMING.encode("fold") * 10_000)

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(pour, ends.peer)
        nursery.start_soon(ends.peer.hear_out)
        started = trio.current_time()
        await ends.seat.close("over")
        assert CLOSING_SECONDS <= trio.current_time() - started <= CLOSING_SECONDS + SWEEP_SECONDS
        assert sum(ends.sock.reads) <= CLOSING_READS * READ_BYTES
    assert ends.peer.done == "over"


async def test_a_seat_can_be_aborted_more_than_once(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        ends.seat.abort()
        ends.seat.abort()
        assert ends.seat.closed
        await ends.peer.hear_out()
        assert ends.peer.heard == []


async def test_watchdog_forgets_closed_seats(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        ends.seat.abort()
        await trio.sleep(3 * SWEEP_SECONDS)
        assert not ends.watchdog._seats


async def test_watchdog_closes_sockets_at_its_end(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        assert not ends.seat.closed
    assert ends.seat.closed
    assert ends.sock.fileno() == -1


async def test_watchdog_closes_sockets_when_cancelled(
    jumping_clock: MockClock,
) -> None:
    with trio.move_on_after(0.5) as scope:
        async with open_logged_in_seat() as ends:
            await ends.seat.ask(TURN)
    assert scope.cancelled_caught
    assert ends.sock.fileno() == -1
