"""A seat that is asked: replies in time, late replies, and when messages are sent."""

import os

import pytest
import trio
from trio.testing import MockClock, assert_checkpoints, assert_no_checkpoints

from dealer.faults import FaultKind, SeatLost
from dealer.net.seat import READ_BYTES
from dealer.net.stalls import SWEEP_SECONDS
from protocol.games.base import FOLD, Bet
from protocol.wire.codec import encode
from protocol.wire.framing import LineFraming
from protocol.wire.messages import Login, Name
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import FRAMING, LIMIT, STATUS, TURN, Ends, lost, open_logged_in_seat, open_seat

FRAMINGS = [FRAMING, LineFraming(FRAMING.limit)]


async def reply_after(peer: Peer, seconds: float, data: bytes) -> None:
    """Wait for the question to come, then ``seconds``, then send."""
    await peer.hear_question()
    await trio.sleep(seconds)
    await peer.send(data)


@pytest.mark.parametrize("framing", FRAMINGS)
async def test_each_question_gets_its_kind_of_answer(framing: LineFraming, jumping_clock: MockClock) -> None:
    async with open_seat(framing=framing) as ends, trio.open_nursery() as nursery:
        nursery.start_soon(ends.peer.log_in, "steph:Steph")
        assert await ends.seat.ask(Login()) == Name("steph", "Steph")
        nursery.start_soon(reply_after, ends.peer, 0, framing.encode("bet:12"))
        assert await ends.seat.ask(TURN) == Bet(12)
        nursery.start_soon(reply_after, ends.peer, 0, framing.encode("fold"))
        assert await ends.seat.ask(TURN) is FOLD
    assert ends.peer.heard == ["login", encode(TURN), encode(TURN)]


@pytest.mark.parametrize("seconds", [0.0, 0.5, LIMIT])
async def test_reply_in_time_is_measured(seconds: float, jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(reply_after, ends.peer, seconds, FRAMING.encode("bet:12"))
        assert await ends.seat.ask(TURN) == Bet(12)
    assert ends.seat.reply_seconds == pytest.approx(seconds)


def reply_when_asked(ends: Ends, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Send as soon as a question comes, as a program on the same core does, which runs while the dealer sends."""
    send, stream = ends.sock.send, ends.peer.stream
    assert isinstance(stream, trio.SocketStream)
    theirs = stream.socket.fileno()

    def send_and_hear(question: bytes) -> int:
        sent = send(question)
        os.write(theirs, data)
        return sent

    monkeypatch.setattr(ends.sock, "send", send_and_hear)


async def test_a_reply_that_is_there_at_once_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_logged_in_seat() as ends:
        reply_when_asked(ends, monkeypatch, FRAMING.encode("bet:12"))
        for _ in range(3):
            with assert_no_checkpoints():
                assert await ends.seat.ask(TURN, at_once=True) == Bet(12)
        with assert_checkpoints():
            assert await ends.seat.ask(TURN) == Bet(12)


async def test_half_a_reply_that_is_there_at_once_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        frame = FRAMING.encode("bet:12")
        reply_when_asked(ends, monkeypatch, frame[:4])
        nursery.start_soon(reply_after, ends.peer, 0, frame[4:])
        assert await ends.seat.ask(TURN, at_once=True) == Bet(12)


async def test_a_reply_is_looked_for_at_once_the_less_often_the_longer_it_was_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_logged_in_seat() as ends:

        async def ask() -> bool:
            """Ask a question whose reply is not there at once; whether it was looked for all the same."""
            async with trio.open_nursery() as nursery:
                nursery.start_soon(reply_after, ends.peer, 0, FRAMING.encode("fold"))
                looks.clear()
                await ends.seat.ask(TURN, at_once=True)
            return len(looks) > 1

        def look(size: int) -> bytes:
            looks.append(size)
            return receive(size)

        looks: list[int] = []
        receive = ends.sock.recv
        monkeypatch.setattr(ends.sock, "recv", look)
        assert [await ask() for _ in range(10)] == [True, False, True, False, False, True, False, False, False, True]


@pytest.mark.parametrize("limit", [0.2, 0.33, LIMIT, 2.0, 60.0])
async def test_silence_is_late_within_one_sweep_after_the_limit(limit: float, jumping_clock: MockClock) -> None:
    async with open_logged_in_seat(limit) as ends:
        asked = trio.current_time()
        fault, connected = await lost(ends.seat)
        waited = trio.current_time() - asked
    assert (fault.kind, connected) == (FaultKind.LATE, True)
    assert fault.reason == f"no complete reply to bet1 came in {waited:.2f} s; every reply is due within {limit:g} s"
    assert limit < waited <= limit + SWEEP_SECONDS + 1e-9


BET = FRAMING.encode("bet:12")


@pytest.mark.parametrize(
    ("pause", "pieces"),
    [(0, [BET[:-1]]), (0, [b"\0"]), (0, [b"\0\6"]), (0, [b""]), (0.3, [bytes([byte]) for byte in BET])],
)
async def test_reply_that_is_not_complete_is_late(pause: float, pieces: list[bytes], jumping_clock: MockClock) -> None:
    """No byte wins time: the limit is one for the whole reply."""

    async def trickle(peer: Peer) -> None:
        await peer.hear_question()
        for piece in pieces:
            await trio.sleep(pause)
            await peer.send(piece)

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(trickle, ends.peer)
        asked = trio.current_time()
        fault, connected = await lost(ends.seat)
        assert (fault.kind, connected) == (FaultKind.LATE, True)
        assert trio.current_time() - asked <= LIMIT + SWEEP_SECONDS + 1e-9


async def test_reply_after_the_limit_is_late_before_any_sweep(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        await trio.sleep(SWEEP_SECONDS / 2)  # the sweep that notices silence comes half a sweep after the limit
        nursery.start_soon(reply_after, ends.peer, LIMIT + SWEEP_SECONDS / 4, FRAMING.encode("bet:12"))
        fault, connected = await lost(ends.seat)
        assert (fault.kind, connected) == (FaultKind.LATE, True)
        assert fault.reason == "the reply to bet1 took 1.012 s; every reply is due within 1 s"
        # That reply is used up: the next one answers the next question.
        nursery.start_soon(reply_after, ends.peer, 0, FRAMING.encode("fold"))
        assert await ends.seat.ask(TURN) is FOLD


@pytest.mark.parametrize(("pause", "after"), [(1.0, 0.0), (0.0, 0.7)])
async def test_late_reply_is_dropped_before_or_during_the_next_question(
    pause: float, after: float, jumping_clock: MockClock
) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(reply_after, ends.peer, 1.5, FRAMING.encode("bet:12"))
        assert (await lost(ends.seat))[0].kind is FaultKind.LATE
        await trio.sleep(pause)
        nursery.start_soon(reply_after, ends.peer, after, FRAMING.encode("fold"))
        assert await ends.seat.ask(TURN) is FOLD
        assert ends.seat.reply_seconds == pytest.approx(after)


async def test_status_is_sent_by_a_sweep_without_a_question(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        told = trio.current_time()
        ends.seat.tell(STATUS)
        assert ends.sock.sends == []
        assert await ends.peer.hear() == encode(STATUS)
        assert trio.current_time() - told <= 2 * SWEEP_SECONDS + 1e-9
        assert len(ends.sock.sends) == 1


async def test_a_sweep_leaves_the_status_of_a_fast_player_to_the_next_question(jumping_clock: MockClock) -> None:
    """So they are one send."""
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        await trio.sleep(0.6 * SWEEP_SECONDS)
        nursery.start_soon(reply_after, ends.peer, 0, FRAMING.encode("fold"))
        await ends.seat.ask(TURN)
        ends.sock.sends.clear()
        ends.seat.tell(STATUS)
        ends.seat.tell(STATUS)
        await trio.sleep(0.8 * SWEEP_SECONDS)  # a sweep lies in this time
        nursery.start_soon(reply_after, ends.peer, 0, FRAMING.encode("fold"))
        await ends.seat.ask(TURN)
    assert ends.sock.sends == [b"".join(FRAMING.encode(encode(message)) for message in (STATUS, STATUS, TURN))]


async def test_program_that_stops_reading_is_late_and_lost(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        for _ in range(5000):  # more than the buffers of the socket hold
            ends.seat.tell(STATUS)
        asked = trio.current_time()
        fault, connected = await lost(ends.seat)
        assert trio.current_time() - asked <= LIMIT + SWEEP_SECONDS + 1e-9
        assert (fault.kind, connected) == (FaultKind.LATE, False)
        assert fault.reason == "the program stopped reading before the end of bet1; every reply is due within 1 s"


async def test_slow_reader_is_timed_from_the_last_byte_sent(jumping_clock: MockClock) -> None:
    async def read_slowly(peer: Peer) -> None:
        await trio.sleep(0.9)
        await peer.hear_question()
        await trio.sleep(0.9)
        await peer.say("fold")

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        for _ in range(5000):  # more than the buffers of the socket hold
            ends.seat.tell(STATUS)
        nursery.start_soon(read_slowly, ends.peer)
        assert await ends.seat.ask(TURN) is FOLD
        assert ends.seat.reply_seconds == pytest.approx(0.9)
        assert len(ends.peer.heard) == 5002


async def test_a_cancelled_question_leaves_no_deadline_behind(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        with trio.move_on_after(0.5):
            await ends.seat.ask(TURN)
        assert ends.seat.deadline == float("inf")


async def test_login_has_a_deadline(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        with pytest.raises(SeatLost) as caught:
            await ends.seat.ask(Login())
        assert caught.value.fault.kind is FaultKind.LATE


async def test_input_is_read_in_pages(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        await ends.peer.send(FRAMING.encode("fold") * 5000)
        for _ in range(5):
            assert (await lost(ends.seat))[0].kind is FaultKind.UNASKED
        assert ends.sock.reads == [READ_BYTES] * 5
