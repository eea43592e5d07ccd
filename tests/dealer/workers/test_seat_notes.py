"""What a dealer reads from the notes of a worker that died at any moment of a question."""

import os
import socket
import sys
from collections.abc import Iterator

import pytest
import trio

from dealer.faults import SeatLost
from dealer.net.lent_seat import SeatState
from dealer.workers.noted_seat import NotedSeat
from dealer.workers.seat_notes import UNSENT_ROOM, Notes, Phase, SeatNote, make_memory
from protocol.games.base import Bet, Status
from protocol.games.stud import StudGame
from protocol.wire.connection import DealerConnection, State
from protocol.wire.framing import UtfFraming
from tests.dealer.support.rig import SEED

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hand sockets over")

GAME = StudGame(100, 1)
TURN = GAME.start(2).deal(GAME.chance.outcome(GAME.chance.draw(SEED, 0, 1))).view(0)
REPLY = UtfFraming().encode("bet:0")


@pytest.fixture
def notes() -> Iterator[Notes]:
    descriptor = make_memory()
    notes = Notes(descriptor)
    os.close(descriptor)
    yield notes
    notes.close()


async def wait_for(note: SeatNote, heard: bytes) -> None:
    while note.heard_bytes != heard:
        await trio.lowlevel.checkpoint()


async def test_note_follows_a_question(notes: Notes) -> None:
    ours, theirs = socket.socketpair()
    connection, note = DealerConnection(UtfFraming()), SeatNote(notes, 7)
    connection.state = State.SEATED
    note.begin(0, b"", b"")
    seat = NotedSeat(ours, SeatState(connection, b"", 30.0), note, lambda: None)
    seat.tell(Status(won=False, cards=TURN.up * 3))
    status = note.unsent_bytes
    assert status.endswith(b":".join([card.text.encode() for card in TURN.up * 3]))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(seat.ask, TURN)
        await trio.testing.wait_all_tasks_blocked()
        assert (note.phase, note.unsent_bytes, note.heard_bytes) == (Phase.ASKED, b"", b"")
        theirs.send(REPLY[:4])
        await wait_for(note, REPLY[:4])
        assert note.phase == Phase.ASKED
        theirs.send(REPLY[4:])
    assert (note.phase, note.overdue, note.heard_bytes) == (Phase.IDLE, 0, b"")
    assert theirs.recv(1000).startswith(status)
    seat.abort()
    theirs.close()


async def test_note_of_a_late_reply(notes: Notes, autojump_clock: trio.testing.MockClock) -> None:
    """The dealer that goes on swallows it."""
    ours, theirs = socket.socketpair()
    connection, note = DealerConnection(UtfFraming()), SeatNote(notes, 0)
    connection.state = State.SEATED
    note.begin(0, b"", b"")
    seat = NotedSeat(ours, SeatState(connection, b"", 1.0), note, lambda: None)
    async with trio.open_nursery() as nursery:

        async def ask() -> None:
            with pytest.raises(SeatLost):
                await seat.ask(TURN)
            nursery.cancel_scope.cancel()

        nursery.start_soon(ask)
        while True:
            await trio.sleep(0.05)
            seat.sweep(trio.current_time())
    assert (note.phase, note.overdue) == (Phase.IDLE, 1)
    seat.abort()
    theirs.close()


def test_text_that_is_too_long_is_told(notes: Notes) -> None:
    note, neighbour = SeatNote(notes, 1), SeatNote(notes, 2)
    neighbour.begin(0, b"rest", b"unsent")
    note.begin(0, b"", b"")
    note.unsent(bytes(UNSENT_ROOM + 1))
    assert note.phase is Phase.TOO_LONG
    assert (neighbour.heard_bytes, neighbour.unsent_bytes) == (b"rest", b"unsent")


def test_results_are_told_once(notes: Notes) -> None:
    assert not notes.is_told(0, 1)
    notes.tell(3, 12)
    assert notes.is_told(3, 12)
    assert not notes.is_told(3, 13)
    assert Bet(0) in TURN.legal()
