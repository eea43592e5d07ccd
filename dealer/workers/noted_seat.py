"""A seat in a worker process, which keeps note of itself: see ``seat_notes.py``."""

import socket
from collections.abc import Callable
from time import perf_counter

from dealer.net.lent_seat import SeatState
from dealer.net.seat import Seat
from dealer.workers.seat_notes import SeatNote
from protocol.games.base import Status
from protocol.wire.connection import State
from protocol.wire.messages import GameInfo, Shown

#: Kept here, because the member of an enum takes long to look up, and this is done for each question.
_ASKED = State.ASKED

#: What ``super()`` would look up for each question.
_send_some = Seat._send_some


class NotedSeat(Seat):
    """A seat whose owner goes on with its session if this process dies.

    Args:
        sock: a duplicate of the owner's.
        state: of its session.
        note: where it is kept note of.
        look_for_stall: see ``Seat``.
    """

    def __init__(
        self, sock: socket.socket, state: SeatState, note: SeatNote, look_for_stall: Callable[[], None]
    ) -> None:
        connection, outgoing, limit = state
        super().__init__(sock, connection.framing, limit, look_for_stall=look_for_stall, connect=lambda *_: connection)
        self._note = note
        self._since, self._place = note.since
        self._outgoing = outgoing
        self._asked_noted = False
        self._rest_noted = True  # unknown, until the first answer is noted
        self._unsent = bool(outgoing)

    def tell(self, message: Status | GameInfo | Shown) -> None:
        """See ``Seat.tell``."""
        self._outgoing += self._connection.send(message)
        self._unsent = True
        self._note.unsent(self._outgoing)

    def _note_part(self) -> None:
        self._rest_noted = True
        self._note.rest(*self._connection.rest)

    def _question_over(self) -> None:
        self._asked_noted = False
        # What is left over, nearly always nothing, is written first: a death in between finds a question still open.
        overdue, rest = self._connection.rest
        if overdue or rest or self._rest_noted:
            self._rest_noted = bool(overdue or rest)
            self._note.rest(overdue, rest)
        self._since[self._place] = -perf_counter()
        if self._outgoing:
            self._unsent = True
            self._note.unsent(self._outgoing)

    def _send_some(self) -> bool:
        if not self._asked_noted and self._connection.state is _ASKED:
            # Noted at the last moment: if this process dies before that, nothing was asked.
            self._asked_noted = True
            if self._unsent:  # it leaves with the question
                self._unsent = False
                self._note.sent()
            self._since[self._place] = perf_counter()
        done = _send_some(self)
        if self._unsent or not done:
            self._unsent = not done
            self._note.unsent(self._outgoing)
        return done
