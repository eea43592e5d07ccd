"""A seat and its watchdog at the end: ``done:`` is said, nobody is waited for long, and no socket is left."""

import trio
from trio.testing import MockClock

from dealer.net.seat import CLOSING_READS, CLOSING_SECONDS, READ_BYTES
from dealer.net.watchdog import SWEEP_SECONDS
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import FRAMING, STATUS, TURN, open_logged_in_seat, open_seat


async def test_close_says_done_behind_all_that_waits_and_hangs_up(jumping_clock: MockClock) -> None:
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
        await ends.seat.close("over")
        assert ends.seat.closed
        assert 0.25 <= trio.current_time() - started < 0.25 + SWEEP_SECONDS


async def test_close_half_closes_so_that_the_peer_reads_to_the_end_before_the_dealer_hangs_up(
    jumping_clock: MockClock,
) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(ends.seat.close, "over")
        await ends.peer.hear_out()
        assert not ends.seat.closed


async def test_close_waits_its_moment_and_no_longer_for_a_peer_that_never_closes(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        started = trio.current_time()
        await ends.seat.close("over")
        assert ends.seat.closed
        assert CLOSING_SECONDS <= trio.current_time() - started <= CLOSING_SECONDS + SWEEP_SECONDS


async def test_the_moment_to_close_is_the_same_when_replies_are_due_sooner(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat(limit=0.1) as ends:
        started = trio.current_time()
        await ends.seat.close("over")
        assert CLOSING_SECONDS <= trio.current_time() - started <= CLOSING_SECONDS + SWEEP_SECONDS


async def test_close_reads_what_still_comes_so_that_done_arrives(tcp_clock: MockClock) -> None:
    """Over TCP, bytes left unread turn a close into a reset, which can overtake the reason."""
    async with open_logged_in_seat(tcp=True) as ends, trio.open_nursery() as nursery:

        async def talk_on() -> None:
            await ends.peer.send(FRAMING.encode("fold") * 3000)
            await ends.peer.stream.aclose()

        nursery.start_soon(talk_on)
        await ends.seat.close("over")
        assert sum(ends.sock.reads) == 18_000


async def test_close_gives_up_on_a_peer_that_does_not_read(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        for _ in range(5000):  # more than the buffers of the socket hold
            ends.seat.tell(STATUS)
        started = trio.current_time()
        await ends.seat.close("over")
        assert ends.seat.closed
        assert trio.current_time() - started <= CLOSING_SECONDS + SWEEP_SECONDS


async def test_a_peer_that_talks_for_ever_is_closed_in_time_too(jumping_clock: MockClock) -> None:
    async def talk(peer: Peer) -> None:
        while not peer.ended:
            await peer.send(FRAMING.encode("fold"))
            await trio.sleep(0.01)

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(talk, ends.peer)
        started = trio.current_time()
        await ends.seat.close("over")
        assert trio.current_time() - started <= CLOSING_SECONDS + SWEEP_SECONDS


async def test_a_peer_that_talks_without_end_is_read_no_further_than_its_done_needs(jumping_clock: MockClock) -> None:
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


async def test_a_closed_seat_is_swept_once_more_without_harm_and_then_forgotten(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        ends.seat.abort()
        await trio.sleep(3 * SWEEP_SECONDS)
        assert not ends.watchdog._seats


async def test_no_socket_outlives_the_watchdog(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        assert not ends.seat.closed
    assert ends.seat.closed
    assert ends.sock.fileno() == -1


async def test_no_socket_outlives_a_watchdog_that_is_cancelled_in_the_middle_of_a_question(
    jumping_clock: MockClock,
) -> None:
    with trio.move_on_after(0.5) as scope:
        async with open_logged_in_seat() as ends:
            await ends.seat.ask(TURN)
    assert scope.cancelled_caught
    assert ends.sock.fileno() == -1
