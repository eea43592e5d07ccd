"""Notes that a worker keeps of each of its seats in shared memory, from which the dealer goes on if the worker dies.

A note tells whether a question is open, which bytes came that are not a whole reply yet, and which are still to be
sent. The dealer also reads from it who is thinking.

What is written with every question lies close together for all seats, apart from the texts. Where each note had a page
of memory for itself, notes took a tenth of the worker's time: the processor had to find another page for each of them.
"""

import mmap
import os
import tempfile
import time
from enum import Enum, auto
from struct import Struct

#: Seats that one worker may have at once. Memory is used only for those that it has.
MOST_SEATS = 1 << 14

#: Bytes that a note has room for: those that came, and those that wait to be sent.
HEARD_ROOM = 1024
UNSENT_ROOM = 3072

#: The number of a table and of its hand whose results were told last.
_TOLD = Struct("<II")
_MOST_TABLES = 1 << 16

#: Bytes of the numbers of one seat, each of which lies in a list of its own: see ``Notes``.
_SINCE_BYTES, _LENGTH_BYTES, _COUNT_BYTES = 8, 2, 1

#: Where each part of the memory begins.
_HEARD_LENGTHS_AT = _SINCE_BYTES * MOST_SEATS
_UNSENT_LENGTHS_AT = _HEARD_LENGTHS_AT + _LENGTH_BYTES * MOST_SEATS
_OVERDUE_AT = _UNSENT_LENGTHS_AT + _LENGTH_BYTES * MOST_SEATS
_TOO_LONG_AT = _OVERDUE_AT + _COUNT_BYTES * MOST_SEATS
_TOLD_AT = _TOO_LONG_AT + _COUNT_BYTES * MOST_SEATS
_HEARD_AT = _TOLD_AT + _TOLD.size * _MOST_TABLES
_UNSENT_AT = _HEARD_AT + HEARD_ROOM * MOST_SEATS
_MEMORY_BYTES = _UNSENT_AT + UNSENT_ROOM * MOST_SEATS


class Phase(Enum):
    """What a seat does."""

    #: No question was asked yet in this process.
    NEW = auto()
    #: No question is open.
    IDLE = auto()
    #: A question is open, or is just being sent.
    ASKED = auto()
    #: More bytes wait than a note has room for, so nobody could go on with the session.
    TOO_LONG = auto()


class Notes:
    """The memory for all notes of one worker, which the dealer and the worker have both mapped.

    Args:
        descriptor: made by ``make_memory``, which the caller may close after this.

    Attributes:
        since: by seat, the time at which its open question was asked, or, as a negative number, the time at which its
            last question was over; on the clock of all processes. 0 before the first question.
        heard_lengths: by seat, how many bytes came that are no whole message yet.
        unsent_lengths: by seat, how many bytes wait to be sent.
        overdue: by seat, how many replies are overdue and will be swallowed.
        too_long: by seat, whether more bytes wait than there is room for.
        memory: all of it, in which also the texts lie.
    """

    def __init__(self, descriptor: int) -> None:
        self.memory = memory = mmap.mmap(descriptor, _MEMORY_BYTES)
        everything = memoryview(memory)
        self.since = everything[:_HEARD_LENGTHS_AT].cast("d")
        self.heard_lengths = everything[_HEARD_LENGTHS_AT:_UNSENT_LENGTHS_AT].cast("H")
        self.unsent_lengths = everything[_UNSENT_LENGTHS_AT:_OVERDUE_AT].cast("H")
        self.overdue = everything[_OVERDUE_AT:_TOO_LONG_AT]
        self.too_long = everything[_TOO_LONG_AT:_TOLD_AT]
        everything.release()

    def close(self) -> None:
        """Release the memory here. Nothing can be read after this."""
        for numbers in (self.since, self.heard_lengths, self.unsent_lengths, self.overdue, self.too_long):
            numbers.release()
        self.memory.close()

    def tell(self, table: int, hand: int) -> None:
        """Note that the players of a hand were told how it ended."""
        _TOLD.pack_into(self.memory, _told_at(table), table, hand)

    def is_told(self, table: int, hand: int) -> bool:
        """Whether they were."""
        return _TOLD.unpack_from(self.memory, _told_at(table)) == (table, hand)


class SeatNote:
    """The note of one seat.

    Args:
        notes: of the worker.
        place: of the seat, from 0; those that are ``MOST_SEATS`` apart share their bytes, one after the other.
    """

    def __init__(self, notes: Notes, place: int) -> None:
        self._memory = notes.memory
        self._notes = notes
        self._at = place % MOST_SEATS

    def begin(self, overdue: int, heard: bytes, unsent: bytes) -> None:
        """Note a seat that no question was asked here."""
        self._notes.since[self._at] = 0.0
        self._notes.too_long[self._at] = False
        self.rest(overdue, heard)
        self.unsent(unsent)

    @property
    def since(self) -> "tuple[memoryview[float], int]":
        """Where the time of each question and of each answer is to be written, with ``time.perf_counter``.

        The seat does it by itself: to call a function for that would take longer than to write the number.
        """
        return self._notes.since, self._at

    def rest(self, overdue: int, heard: bytes) -> None:
        """Note how many replies are overdue, and what came that is no whole message yet."""
        if len(heard) > HEARD_ROOM:
            self._notes.too_long[self._at] = True
            return
        at = _HEARD_AT + self._at * HEARD_ROOM
        self._memory[at : at + len(heard)] = heard
        self._notes.overdue[self._at] = min(overdue, 255)
        self._notes.heard_lengths[self._at] = len(heard)

    def unsent(self, data: bytes) -> None:
        """Note bytes that wait to be sent."""
        if len(data) > UNSENT_ROOM:
            self._notes.too_long[self._at] = True
            return
        at = _UNSENT_AT + self._at * UNSENT_ROOM
        self._memory[at : at + len(data)] = data
        self._notes.unsent_lengths[self._at] = len(data)

    def sent(self) -> None:
        """Note that no bytes wait to be sent."""
        self._notes.unsent_lengths[self._at] = 0

    # What the dealer reads

    @property
    def phase(self) -> Phase:
        """What the seat does."""
        if self._notes.too_long[self._at]:
            return Phase.TOO_LONG
        since = self._notes.since[self._at]
        if not since:
            return Phase.NEW
        return Phase.ASKED if since > 0 else Phase.IDLE

    @property
    def seconds(self) -> float:
        """For how long it has done that."""
        return max(time.perf_counter() - abs(self._notes.since[self._at]), 0.0)

    @property
    def overdue(self) -> int:
        """Replies that are overdue and will be swallowed."""
        return self._notes.overdue[self._at]

    @property
    def heard_bytes(self) -> bytes:
        """Bytes that were read and are no whole message yet."""
        at = _HEARD_AT + self._at * HEARD_ROOM
        return self._memory[at : at + self._notes.heard_lengths[self._at]]

    @property
    def unsent_bytes(self) -> bytes:
        """Bytes that wait to be sent."""
        at = _UNSENT_AT + self._at * UNSENT_ROOM
        return self._memory[at : at + self._notes.unsent_lengths[self._at]]


def _told_at(table: int) -> int:
    return _TOLD_AT + table % _MOST_TABLES * _TOLD.size


def make_memory() -> int:
    """A descriptor of memory for the notes of one worker; the caller closes it."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("casino-seats")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, _MEMORY_BYTES)
    return descriptor
