"""A worker process as the dealer sees it: its channel, the seats that are lent to it, and the hands it plays."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import trio

from dealer.net.lent_seat import SeatState
from dealer.net.seat import Seat
from dealer.net.stalls import Stall
from dealer.workers.channel import Channel
from dealer.workers.messages import (
    Begin,
    CallBack,
    Corrected,
    Drop,
    FromWorker,
    GivenBack,
    Hasten,
    Lend,
    Logged,
    Lost,
    Played,
    SoFar,
    Stalled,
    Tell,
    ToWorker,
    Wait,
    from_plain,
    to_plain,
)
from dealer.workers.seat_notes import MOST_SEATS, Notes, Phase, SeatNote, make_memory
from protocol.games.base import Status
from protocol.wire.messages import GameInfo, Shown


class TableElsewhere(Protocol):
    """A table whose hands a worker plays, as its link knows it."""

    def take_played(self, played: Played) -> None:
        """The hand is over."""

    def take_so_far(self, so_far: SoFar) -> None:
        """How the hand stands."""

    def take_wait(self) -> None:
        """The hand waits before its next action, until ``GoOn`` is posted."""

    def take_lost(self, lost: Lost) -> None:
        """A player gave no acceptable answer; ``Judged`` is to be posted."""

    def take_corrected(self, corrected: Corrected) -> None:
        """An action was corrected."""

    def worker_died(self) -> None:
        """Nobody plays the hand under way any more."""


class Loan:
    """A seat that is lent to a worker. See ``Borrower``.

    Args:
        link: to the worker.
        seat: that is lent.
        place: where the worker keeps note of it.

    Attributes:
        seat: see above.
        place: see above.
        note: the worker's.
    """

    def __init__(self, link: "WorkerLink", seat: Seat, place: int) -> None:
        self.seat = seat
        self.place = place
        self.note = SeatNote(link.notes, place)
        self._link = link
        self._called = False
        self._over = trio.Event()

    @property
    def thinking(self) -> float | None:
        """See ``Borrower``."""
        return self.note.seconds if self.note.phase is Phase.ASKED else None

    @property
    def silent(self) -> float | None:
        """See ``Borrower``."""
        return self.note.seconds if self.note.phase is Phase.IDLE else None

    def tell(self, message: Status | GameInfo | Shown) -> None:
        """See ``Borrower``."""
        self._link.post(Tell(self.place, message))

    def hasten(self, seconds: float) -> None:
        """See ``Borrower``."""
        if not self._called:  # else it has given the seat up before it reads this
            self._link.post(Hasten(self.place, seconds))

    def drop(self) -> None:
        """See ``Borrower``."""
        if not (self._called or self._over.is_set()):
            self._over.set()
            self._link.end_loan(self)
            self._link.post(Drop(self.place))

    async def give_back(self) -> None:
        """See ``Borrower``."""
        if not (self._called or self._over.is_set()):
            self._called = True
            self._link.post(CallBack(self.place))
        await self._over.wait()

    def returned(self, state: SeatState) -> None:
        """The seat is here again."""
        self.seat.take_back(state)
        self._over.set()

    def recover(self, state: SeatState) -> int | None:
        """Go on from the notes of a worker that died; how many replies the program owed before its open question.

        None if it owes none to that question.

        Args:
            state: as it was when the seat was lent.
        """
        note = self.note
        connection, asked = state.connection, note.phase is Phase.ASKED
        connection.rest = note.overdue, note.heard_bytes
        if asked:
            connection.give_up()  # its reply is swallowed
        broken = note.phase is Phase.TOO_LONG
        overdue = note.overdue
        self.returned(state._replace(outgoing=note.unsent_bytes))
        if broken:
            self.seat.break_off()
        return overdue if asked and connection.rest[0] > overdue else None


class WorkerLink:
    """Starts a worker process; its owner runs ``serve`` until the worker is dead, and then calls ``bury``.

    Args:
        tell_stall: called when the worker stood still.

    Attributes:
        notes: that the worker keeps.
        dead: whether the worker has ended.
        tables: whose hands it plays, by number.
        begun: what the worker was told before its first hand; None before that.
        hands: how many it has finished.
    """

    def __init__(self, tell_stall: Callable[[Stall], None]) -> None:
        ours, theirs = socket.socketpair()
        descriptor = make_memory()
        self.notes = Notes(descriptor)
        command = (sys.executable, "-P", "-m", "dealer.workers", str(theirs.fileno()), str(descriptor))
        # Started by this thread: the system ends a worker with the thread that started it, and others of trio end soon.
        # In a session of its own, so that Ctrl-C at the terminal does not reach it while it starts.
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(), descriptor), start_new_session=True
        )
        theirs.close()
        os.close(descriptor)
        self.dead = False
        self.tables: dict[int, TableElsewhere] = {}
        self.begun: Begin | None = None
        self.hands = 0
        self._channel = Channel(ours)
        self._loans: dict[int, tuple[Loan, SeatState]] = {}
        self._lent: set[Seat] = set()
        self._free = list(range(MOST_SEATS - 1, -1, -1))
        self._takes: dict[type, Callable[[Any], None]] = {
            Played: self._take_played,
            SoFar: lambda so_far: self.tables[so_far.table].take_so_far(so_far),
            Wait: self._take_wait,
            Lost: lambda lost: self.tables[lost.table].take_lost(lost),
            Corrected: lambda corrected: self.tables[corrected.table].take_corrected(corrected),
            GivenBack: self._take_back,
            Stalled: lambda stalled: tell_stall(stalled.stall),
            Logged: _print,
        }

    def post(self, message: ToWorker) -> None:
        """Tell the worker something; nothing if it is dead."""
        if not self.dead:
            self._channel.post(to_plain(message))

    def lend(self, player: int, seat: Seat) -> None:
        """Lend the worker the seat of a player, by number. The worker must live."""
        place = self._free.pop()
        loan = Loan(self, seat, place)
        sock, state = seat.lend(loan)
        self._loans[place] = loan, state
        self._lent.add(seat)
        loan.note.begin(*state.connection.rest, state.outgoing)
        self._channel.post(to_plain(Lend(player, place, state)), sock)

    def has(self, seat: Seat) -> bool:
        """Whether a seat is lent to this worker."""
        return seat in self._lent

    def seat_at(self, place: int) -> Seat | None:
        """What is lent with this place; None if nothing is any more."""
        return self._loans[place][0].seat if place in self._loans else None

    def has_told(self, table: int, hand: int) -> bool:
        """Whether the worker has told the players of a hand how it ended."""
        return self.notes.is_told(table, hand)

    def end_loan(self, loan: Loan) -> None:
        """Forget a seat that the worker has."""
        if self._loans.pop(loan.place, None) is not None:
            self._lent.remove(loan.seat)
            # Under another number next time: the worker may still tell something of the seat that it had here.
            self._free.append(loan.place + MOST_SEATS)

    async def serve(self) -> None:
        """Exchange messages until the worker ends."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._channel.send_forever)
            await self._channel.receive_forever(self._take)
            nursery.cancel_scope.cancel()

    def bury(self) -> list[tuple[Seat, int]]:
        """Take all seats back from a worker that is dead, and tell its tables; the seats that owe a reply.

        With each of those the number of replies that it owed before its open question.
        """
        self.dead = True
        owing = []
        loans, self._loans = list(self._loans.values()), {}
        self._lent.clear()
        for loan, state in loans:
            overdue = loan.recover(state)
            if overdue is not None:
                owing.append((loan.seat, overdue))
        for table in self.tables.values():
            table.worker_died()
        return owing

    def close(self) -> None:
        """End the worker if it still runs, and release what was shared with it."""
        self.dead = True
        self._channel.close()
        self.process.kill()
        self.process.wait()
        self.notes.close()

    def _take(self, plain: Sequence[Any]) -> None:
        message: FromWorker = from_plain(plain)
        self._takes[type(message)](message)

    def _take_played(self, played: Played) -> None:
        self.hands += 1
        self.tables[played.table].take_played(played)

    def _take_wait(self, wait: Wait) -> None:
        table = self.tables[wait.so_far.table]
        table.take_so_far(wait.so_far)
        table.take_wait()

    def _take_back(self, given: GivenBack) -> None:
        loan, _ = self._loans[given.place]
        self.end_loan(loan)
        loan.returned(given.state)


def _print(logged: Logged) -> None:
    sys.stderr.write(logged.line)
    sys.stderr.flush()
