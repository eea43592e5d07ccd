"""Notes that a worker keeps of each of its seats in shared memory, from which the dealer goes on if the worker dies.

A note tells whether a question is open, which bytes came that are not a whole reply yet, and which are still to be
sent. It costs about a microsecond a question. The dealer also reads from it who is thinking.
"""

import mmap
import os
import tempfile
import time
from enum import Enum, auto
from math import inf
from struct import Struct

#: Bytes for one seat.
NOTE_BYTES = 4096

#: Seats that one worker may have at once. Memory is used only for those that it has.
MOST_SEATS = 1 << 14

#: When the phase began, on the clock of all processes; then overdue replies, and the lengths of both texts. The sign of
#: the time tells the phase, so that one number is written with every question and every answer.
_HEADER = Struct("@dBxHH")
_SINCE = Struct("@d")
_OVERDUE_AT = _SINCE.size
_LENGTH = Struct("@H")
_HEARD_LENGTH_AT = _HEADER.size - 2 * _LENGTH.size
_UNSENT_LENGTH_AT = _HEADER.size - _LENGTH.size
_HEARD_AT = _HEADER.size
_HEARD_ROOM = 1024
_UNSENT_AT = _HEARD_AT + _HEARD_ROOM
_UNSENT_ROOM = NOTE_BYTES - _UNSENT_AT

#: The number of a table and of its hand whose results were told last.
_TOLD = Struct("<II")
_MOST_TABLES = 1 << 16
_MEMORY_BYTES = NOTE_BYTES * MOST_SEATS + _TOLD.size * _MOST_TABLES


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


#: Times that stand for phases without one. An open question has a time above zero, an idle seat one below.
_NEW, _TOO_LONG = 0.0, inf


class SeatNote:
    """The note of one seat, in the memory of its worker.

    Args:
        memory: of all notes of the worker.
        place: of the seat, from 0; those that are ``MOST_SEATS`` apart share their bytes, one after the other.
    """

    def __init__(self, memory: mmap.mmap, place: int) -> None:
        self._memory = memory
        self._at = place % MOST_SEATS * NOTE_BYTES
        self._rest_noted = True  # unknown, until the first answer is noted
        self._too_long = False

    def begin(self, overdue: int, heard: bytes, unsent: bytes) -> None:
        """Note a seat that no question was asked here."""
        self._write_since(_NEW)
        self._write_rest(overdue, heard)
        self.unsent(unsent)

    def asked(self) -> None:
        """Note that a question is about to be sent."""
        if not self._too_long:
            _SINCE.pack_into(self._memory, self._at, time.perf_counter())

    def part(self, overdue: int, rest: bytes) -> None:
        """Note what is there of a reply that is not complete."""
        self._write_rest(overdue, rest)

    def answered(self, overdue: int, rest: bytes) -> None:
        """Note that no question is open any more, and what is left over."""
        # What is left over, nearly always nothing, is written first: a death in between finds a question still open.
        if overdue or rest or self._rest_noted:
            self._write_rest(overdue, rest)
            self._rest_noted = bool(overdue or rest)
        if not self._too_long:
            _SINCE.pack_into(self._memory, self._at, -time.perf_counter())

    def unsent(self, data: bytes) -> None:
        """Note bytes that wait to be sent."""
        at = self._at
        if len(data) > _UNSENT_ROOM:
            self._note_too_long()
            return
        self._memory[at + _UNSENT_AT : at + _UNSENT_AT + len(data)] = data
        _LENGTH.pack_into(self._memory, at + _UNSENT_LENGTH_AT, len(data))

    def sent(self) -> None:
        """Note that no bytes wait to be sent."""
        _LENGTH.pack_into(self._memory, self._at + _UNSENT_LENGTH_AT, 0)

    def _note_too_long(self) -> None:
        self._too_long = True
        self._write_since(_TOO_LONG)

    def _write_since(self, since: float) -> None:
        _SINCE.pack_into(self._memory, self._at, since)

    def _write_rest(self, overdue: int, heard: bytes) -> None:
        at, self._rest_noted = self._at, True
        if len(heard) > _HEARD_ROOM:
            self._note_too_long()
            return
        self._memory[at + _HEARD_AT : at + _HEARD_AT + len(heard)] = heard
        self._memory[at + _OVERDUE_AT] = min(overdue, 255)
        _LENGTH.pack_into(self._memory, at + _HEARD_LENGTH_AT, len(heard))

    # What the dealer reads

    @property
    def phase(self) -> Phase:
        """What the seat does."""
        (since,) = _SINCE.unpack_from(self._memory, self._at)
        if since in (_NEW, _TOO_LONG):
            return Phase.TOO_LONG if since else Phase.NEW
        return Phase.ASKED if since > 0 else Phase.IDLE

    @property
    def seconds(self) -> float:
        """For how long it has done that."""
        (since,) = _SINCE.unpack_from(self._memory, self._at)
        return max(time.perf_counter() - abs(float(since)), 0.0)

    @property
    def overdue(self) -> int:
        """Replies that are overdue and will be swallowed."""
        return self._memory[self._at + _OVERDUE_AT]

    @property
    def heard_bytes(self) -> bytes:
        """Bytes that were read and are no whole message yet."""
        return self._text(_HEARD_LENGTH_AT, _HEARD_AT)

    @property
    def unsent_bytes(self) -> bytes:
        """Bytes that wait to be sent."""
        return self._text(_UNSENT_LENGTH_AT, _UNSENT_AT)

    def _text(self, length_at: int, begin: int) -> bytes:
        (length,) = _LENGTH.unpack_from(self._memory, self._at + length_at)
        return self._memory[self._at + begin : self._at + begin + length]


class TableNotes:
    """Notes of which results were told, in the memory of a worker. They lie behind those of its seats.

    Args:
        memory: of all notes of the worker.
    """

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory

    def tell(self, table: int, hand: int) -> None:
        """Note that the players of a hand were told how it ended."""
        _TOLD.pack_into(self._memory, _place_of(table), table, hand)

    def is_told(self, table: int, hand: int) -> bool:
        """Whether they were."""
        return _TOLD.unpack_from(self._memory, _place_of(table)) == (table, hand)


def _place_of(table: int) -> int:
    return NOTE_BYTES * MOST_SEATS + table % _MOST_TABLES * _TOLD.size


def make_memory() -> int:
    """A descriptor of memory for the notes of one worker; the caller closes it."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("casino-seats")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, _MEMORY_BYTES)
    return descriptor


def map_memory(descriptor: int) -> mmap.mmap:
    """The memory behind a descriptor, which may be closed after this."""
    return mmap.mmap(descriptor, _MEMORY_BYTES)
