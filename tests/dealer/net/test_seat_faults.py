"""How a seat is lost or closed: malformed replies, floods, ``done:`` that arrives, and no socket that is left."""

import socket
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock

from dealer.faults import FaultKind
from dealer.net.limits import REPLY_BYTES, Limits
from dealer.net.seat import CLOSING_READS, CLOSING_SECONDS, READ_BYTES
from dealer.net.stalls import SWEEP_SECONDS
from protocol.games.base import FOLD
from protocol.wire.framing import LineFraming
from protocol.wire.messages import Login
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import FRAMING, LIMIT, STATUS, TURN, Ends, lost, open_logged_in_seat, open_seat

LINES = LineFraming(REPLY_BYTES)


async def answer(peer: Peer, data: bytes) -> None:
    await peer.hear_question()
    await peer.send(data)


@pytest.mark.parametrize(
    ("data", "kind", "connected", "reason"),
    [
        (b"\0\4call", FaultKind.MALFORMED, True, "expected 'fold' or 'bet:<chips>', got 'call'"),
        (b"\0\0", FaultKind.MALFORMED, True, "expected 'fold' or 'bet:<chips>', got ''"),
        (b"\0\1\xff", FaultKind.MALFORMED, True, "the message is not modified UTF-8"),
        (b"\0\4\xf0\x9f\x98\x80", FaultKind.MALFORMED, True, "a four-byte character"),
        (b"\0\3\xed\xa0\x80", FaultKind.MALFORMED, True, "the message is not modified UTF-8"),
        (b"\2\1", FaultKind.OVERSIZED, False, "announce 513 bytes, more than the 512 accepted"),
        (b"\xff\xff", FaultKind.OVERSIZED, False, "the two length bytes ff ff announce 65535 bytes"),
        (b"\0\4fold\0\4fold", FaultKind.UNASKED, True, "send one reply to each question"),
        (b"\0\4fold\0", FaultKind.UNASKED, True, "part of a reply came although nothing was asked"),
    ],
)
async def test_malformed_reply_is_quoted_in_full_and_the_seat_goes_on(
    data: bytes, kind: FaultKind, connected: bool, reason: str, jumping_clock: MockClock
) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(answer, ends.peer, data)
        fault, can_go_on = await lost(ends.seat)
        assert (fault.kind, can_go_on) == (kind, connected)
        assert reason in fault.reason
        if kind is FaultKind.MALFORMED:
            nursery.start_soon(answer, ends.peer, FRAMING.encode("fold"))
            assert await ends.seat.ask(TURN) is FOLD


@pytest.mark.parametrize("data", [FRAMING.encode("fold"), FRAMING.encode("fold")[:3]])
async def test_a_reply_before_the_question_is_not_its_answer(data: bytes, jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        await ends.peer.send(data)
        fault, connected = await lost(ends.seat)
        assert (fault.kind, connected) == (FaultKind.UNASKED, True)
        assert ends.sock.sends == []


async def test_bytes_before_the_login_are_refused(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        await ends.peer.send(FRAMING.encode("steph:Steph"))
        with pytest.raises(Exception, match="a reply came although nothing was asked"):
            await ends.seat.ask(Login())


async def hang_up(ends: Ends) -> None:
    await ends.peer.stream.aclose()


async def half_close(ends: Ends) -> None:
    assert isinstance(ends.peer.stream, trio.SocketStream)
    await ends.peer.stream.send_eof()


async def reset(ends: Ends) -> None:
    await ends.peer.reset()


Leave = Callable[[Ends], Awaitable[None]]
WAYS_TO_LEAVE = pytest.mark.parametrize("leave", [hang_up, half_close, reset])


@WAYS_TO_LEAVE
async def test_leaving_before_the_question_is_noticed(leave: Leave, tcp_clock: MockClock) -> None:
    async with open_logged_in_seat(tcp=True) as ends:
        await leave(ends)
        fault, connected = await lost(ends.seat)
        assert (fault.kind, connected) == (FaultKind.GONE, False)


@WAYS_TO_LEAVE
async def test_leaving_during_the_question_is_noticed_at_once(leave: Leave, tcp_clock: MockClock) -> None:
    async def leave_when_asked(ends: Ends) -> None:
        await ends.peer.hear_question()
        await leave(ends)

    async with open_logged_in_seat(limit=1000.0, tcp=True) as ends, trio.open_nursery() as nursery:
        asked = trio.current_time()
        nursery.start_soon(leave_when_asked, ends)
        fault, connected = await lost(ends.seat)
        assert (fault.kind, connected) == (FaultKind.GONE, False)
        assert fault.reason.startswith(("the program closed the connection", "the connection broke: "))
        assert trio.current_time() - asked < 10


@WAYS_TO_LEAVE
async def test_wait_gone_returns_when_the_bot_leaves(leave: Leave, tcp_clock: MockClock) -> None:
    async with open_logged_in_seat(tcp=True) as ends, trio.open_nursery() as nursery:
        nursery.start_soon(leave, ends)
        gone = await ends.seat.wait_gone()
        assert gone.fault.kind is FaultKind.GONE


async def test_wait_gone_returns_when_the_bot_speaks(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(ends.peer.say, "hello")
        assert (await ends.seat.wait_gone()).fault.kind is FaultKind.UNASKED


@WAYS_TO_LEAVE
async def test_closing_a_seat_whose_peer_left_is_no_error(leave: Leave, tcp_clock: MockClock) -> None:
    async with open_logged_in_seat(tcp=True) as ends:
        await leave(ends)
        await ends.seat.close("you left")
        assert ends.seat.closed


@pytest.mark.parametrize(
    ("framing", "flood", "kind"),
    [
        (FRAMING, b"\0\4fold", FaultKind.UNASKED),
        (FRAMING, b"\0\0", FaultKind.UNASKED),
        (LINES, b"fold\n", FaultKind.UNASKED),
        (LINES, b"\n", FaultKind.UNASKED),
        (LINES, b"x", FaultKind.OVERSIZED),
        (FRAMING, b"\xff", FaultKind.OVERSIZED),
    ],
)
async def test_a_flood_is_not_stored(
    framing: LineFraming, flood: bytes, kind: FaultKind, jumping_clock: MockClock
) -> None:
    """Whatever its length: the dealer reads a page for each question, and keeps less than that."""

    async def pour(ends: Ends) -> None:
        await ends.peer.send(flood * (10_000_000 // len(flood)))

    async with open_logged_in_seat(framing=framing) as ends, trio.open_nursery() as nursery:
        nursery.start_soon(pour, ends)
        await trio.testing.wait_all_tasks_blocked()
        for questions in range(1, 2 if kind is FaultKind.OVERSIZED else 11):
            assert (await lost(ends.seat))[0].kind is kind
            assert sum(ends.sock.reads) <= questions * READ_BYTES
            assert len(ends.seat._connection._buffer) <= READ_BYTES
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("limits", [Limits(frames_per_second=4), Limits(bytes_per_second=25)])
async def test_bot_below_the_limits_of_each_second(limits: Limits, jumping_clock: MockClock) -> None:
    async with open_logged_in_seat(limits=limits) as ends, trio.open_nursery() as nursery:
        for _ in range(20):
            await trio.sleep(0.4)
            nursery.start_soon(answer, ends.peer, FRAMING.encode("fold"))
            assert await ends.seat.ask(TURN) is FOLD


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(frames_per_second=4), "5 messages came within a second, more than the 4 accepted"),
        (Limits(bytes_per_second=37), "43 bytes came within a second, more than the 37 accepted"),
    ],
)
async def test_the_reply_that_breaks_a_limit_ends_the_session(
    limits: Limits, reason: str, jumping_clock: MockClock
) -> None:
    """The login took 13 bytes, each reply takes six."""
    async with open_logged_in_seat(limits=limits) as ends, trio.open_nursery() as nursery:
        for _ in range(3 if limits.frames_per_second == 4 else 4):
            nursery.start_soon(answer, ends.peer, FRAMING.encode("fold"))
            assert await ends.seat.ask(TURN) is FOLD
        nursery.start_soon(answer, ends.peer, FRAMING.encode("fold"))
        fault, connected = await lost(ends.seat)
        assert (fault.kind, connected) == (FaultKind.FLOOD, False)
        assert fault.reason == reason


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


@pytest.mark.parametrize(("limit", "told"), [(LIMIT, 0), (0.1, 0), (LIMIT, 5000)])
async def test_close_waits_limited_time_for_the_peer(limit: float, told: int, jumping_clock: MockClock) -> None:
    """Whatever the limit of replies, and although the peer does not read what is more than the socket's buffers."""
    async with open_logged_in_seat(limit) as ends:
        for _ in range(told):
            ends.seat.tell(STATUS)
        started = trio.current_time()
        assert not await ends.seat.close("over")
        assert ends.seat.closed
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


@pytest.mark.parametrize(("replies", "pause"), [(1, 0.01), (10_000, 0)])
async def test_close_ends_although_the_peer_sends_forever(replies: int, pause: float, jumping_clock: MockClock) -> None:
    """It reads a limited amount."""

    async def pour(peer: Peer) -> None:
        while not peer.ended:
            await peer.send(FRAMING.encode("fold") * replies)
            await trio.sleep(pause)

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


async def test_machine_of_a_page_that_cannot_be_reached_is_found_out(jumping_clock: MockClock) -> None:
    """A person thinks for minutes, in which nothing is sent that could fail."""
    async with open_logged_in_seat(tcp=True) as ends:
        assert not ends.sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        ends.seat.speak_for("10.1.2.3:4711")
        assert ends.sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert ends.seat.address == "10.1.2.3:4711"
