"""A file that grows by whole pieces: a piece is on the disk entirely, or it is taken away again.

The file is made longer before its pieces need it, by ``ROOM_BYTES`` at a time, which read as zeros until something is
written there. While the length of a file stays as it is, to force a piece to the disk takes a third less time, because
the file system has no new length to write down. It takes half of the rest where zeros were really written: of blocks
that are only reserved, the file system writes down with each piece that they are in use now. The zeros are cut off when
the file is closed. After a crash they stay, and readers take them for the end of the journal: no batch begins with a
zero.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Self

from dealer.errors import JournalError, UnreadableError
from dealer.journal.nameless_copy import NamelessCopy
from dealer.journal.records import NO_HEAD
from protocol.files import check_regular

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None

_sync = getattr(os, "fdatasync", os.fsync)

#: The permissions of a journal. It holds hole cards, so no other user may read it.
_OWNER_ONLY = 0o600

#: Bytes that ``loss`` compares with the copy at most; it goes on behind them the next time.
LOOK_BYTES = 4 * 2**20

#: Bytes that are read and compared at a time; larger parts take longer, because they do not stay in the cache.
_PART_BYTES = 2**16

#: Bytes by which the file is made longer at a time: room for hundreds of hands, and not much of a small disk.
ROOM_BYTES = 2**16


class AppendFile:
    """A file open for writing at its end, which no other dealer can open meanwhile. Use ``create`` or ``reopen``.

    Attributes:
        path: where it is.
        size: bytes that are on the disk; behind them is only room for more.
        head: of the chain of batches in it, which is kept here by those who read and append batches.

    Args:
        path: where it is.
        descriptor: open for reading and writing.
        new: whether the file was made just now; it is removed again if nothing is ever written.
    """

    def __init__(self, path: Path, descriptor: int, *, new: bool) -> None:
        self.path = path
        self.size = 0
        self._length = 0  # of the file, with the room behind what is on the disk
        self._makes_room = hasattr(os, "posix_fallocate")  # macOS and Windows have none
        self.head = NO_HEAD
        self._descriptor = descriptor
        self._dirty = False
        self._closed = False
        self._new = new
        self._copy = NamelessCopy()
        self._compared = 0  # where the next comparison with the copy begins
        self._altered = False

    @classmethod
    def create(cls, path: Path) -> Self:
        """Make a file, or take over an empty one.

        Raises:
            JournalError: the file exists already, cannot be made, or another dealer writes it.
        """
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        except FileExistsError:
            return cls._take_over(path)
        except OSError as error:
            raise JournalError(f"cannot write the journal {path}: {error.strerror}") from None
        return cls(path, descriptor, new=True)._claimed()

    @classmethod
    def _take_over(cls, path: Path) -> Self:
        """Open an empty file, which a dealer leaves behind that dies in its lobby; refuse any other."""
        try:
            if not path.is_file() or path.stat().st_size:
                raise JournalError(f"{path} exists already; a journal is never overwritten, choose another name")
            path.chmod(_OWNER_ONLY)
        except OSError as error:
            raise JournalError(f"cannot write the journal {path}: {error.strerror}") from None
        return cls.reopen(path)

    @classmethod
    def reopen(cls, path: Path) -> Self:
        """Open an existing file, to write after all it holds.

        Raises:
            UnreadableError: it does not exist.
            JournalError: it cannot be written, or another dealer writes it.
        """
        try:
            check_regular(path)
            descriptor = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            raise UnreadableError(f"there is no journal {path}") from None
        except OSError as error:
            raise JournalError(f"cannot write the journal {path}: {error.strerror}") from None
        return cls(path, descriptor, new=False)._claimed()

    def _claimed(self) -> Self:
        """Lock the file and put its name on the disk; close it if that fails."""
        try:
            _lock(self._descriptor)
            self.size = self._length = os.fstat(self._descriptor).st_size
            if self._new:
                _sync_folder(self.path)
            else:
                self._copy.add_all_of(self.path)
        except BlockingIOError:
            self.close()
            raise JournalError(f"another dealer is writing {self.path}; stop it first") from None
        except OSError as error:
            self.close()
            raise JournalError(f"cannot write the journal {self.path}: {error.strerror}") from None
        return self

    def append(self, data: bytes) -> None:
        """Put all of ``data`` on the disk. What a failed attempt has left in the file is cut off first.

        Raises:
            OSError: it is not on the disk; try again.
        """
        if self._dirty:
            # After a failed sync the system may drop the bytes and call the next sync a success: write all again.
            self._cut_off_room()
        self._dirty = True
        end = self.size + len(data)
        if end > self._length:
            self._length = self._room_for(end)
        os.lseek(self._descriptor, self.size, os.SEEK_SET)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        _sync(self._descriptor)
        self.size = end
        self._dirty = False
        self._copy.add(data)

    def _room_for(self, end: int) -> int:
        """Make the file longer than ``end``, if the system can and the disk has the room.

        Where that fails the file grows with each piece from then on. So the last room of a disk is used, too, and what
        is said about a full disk is what a write says.

        Returns:
            Bytes of the file when the piece up to ``end`` is written.

        Raises:
            OSError: what the attempt has left cannot be cut off.
        """
        if os.fstat(self._descriptor).st_size != self._length:
            return self._length  # others have changed the file, and by this length `loss` notices it
        if self._makes_room:
            length = (end // ROOM_BYTES + 1) * ROOM_BYTES
            try:
                os.posix_fallocate(self._descriptor, self.size, length - self.size)
                os.pwrite(self._descriptor, bytes(length - self.size), self.size)
            except OSError:
                self._makes_room = False
                self._cut_off_room()  # a part of it may be there
            else:
                return length
        return end

    def _cut_off_room(self) -> None:
        os.ftruncate(self._descriptor, self.size)
        self._length = self.size

    def loss(self) -> str | None:
        """What has become of the file since it was written, in words; None if it is there as it was written.

        Each call compares ``LOOK_BYTES`` of it with the copy, or all its bytes while some differ. The time of the last
        change would not tell, because the next append replaces it.
        """
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return "was deleted or moved away"
        except OSError as error:
            return f"cannot be reached ({error.strerror})"
        if not os.path.samestat(found, os.fstat(self._descriptor)):
            return "was replaced by another file"
        try:
            place = self._altered_at()
        except OSError as error:
            return f"cannot be read ({error.strerror})"
        # Asked for last: of a file that is cut while its bytes are compared, some differ, but it is its length that
        # tells what happened.
        length = os.fstat(self._descriptor).st_size
        if not self._dirty and length != self._length:
            return f"was altered: it has {length} bytes instead of {self._length}"
        return None if place is None else f"was altered: byte {place} is not as it was written"

    def _altered_at(self) -> int | None:
        """The place of a byte that is not as it was written; None if all that are compared now are.

        Raises:
            OSError: the file cannot be read.
        """
        rest = self.size if self._altered else min(self.size, LOOK_BYTES)
        while rest > 0:
            if self._compared >= self.size:
                self._compared = 0
            count = min(_PART_BYTES, rest, self.size - self._compared)
            written = self._copy.read(self._compared, count)
            if written is None:
                break
            os.lseek(self._descriptor, self._compared, os.SEEK_SET)
            found = os.read(self._descriptor, count)
            if found != written:
                self._altered = True
                return self._compared + _first_difference(found, written)
            self._compared += count
            rest -= count
        self._altered = False
        return None

    def begin_anew(self) -> None:
        """Write all that was appended to a new file beside the lost one, and append to that from now on.

        Raises:
            JournalError: the new file cannot be made, or there is no copy.
            OSError: it cannot be written.
        """
        data = self._copy.read(0, self.size)
        if data is None:
            raise JournalError("there was no room for a copy")
        path = next(path for path in _numbered(self.path) if not path.exists())
        other = type(self).create(path)
        try:
            other.append(data)
        except BaseException:
            other.close()
            raise
        os.close(self._descriptor)
        self._copy.close()
        self.path, self._descriptor, self._copy = path, other._descriptor, other._copy
        self._length = other._length
        self._dirty = self._altered = False

    def cut(self, whole: int) -> Path | None:
        """Cut off what follows the first ``whole`` bytes: part of a piece, and zeros where room was made for more.

        Returns:
            The path of a new file beside this one, to which all was moved up to the zeros; None if there was nothing.

        Raises:
            JournalError: one of the two files cannot be written; nothing was cut off.
        """
        if whole == self.size:
            return None
        try:
            tail = self.path.read_bytes()[whole:].rstrip(b"\0")
            kept = _new_file_beside(self.path, tail) if tail else None
            os.ftruncate(self._descriptor, whole)
            os.fsync(self._descriptor)
        except OSError as error:
            raise JournalError(f"cannot cut the torn end off {self.path}: {error.strerror}") from None
        self.size = self._length = whole
        self._copy.cut(whole)
        return kept

    def close(self) -> None:
        """Close the file without the room for more, or what a failed attempt has left in it; remove an empty new file.

        Closing it again does nothing.
        """
        if self._closed:
            return
        self._closed = True
        with suppress(OSError):  # the next reader then finds zeros or a torn end, and can cut them off
            # A file whose length others have changed is left as they made it.
            if self._dirty or os.fstat(self._descriptor).st_size == self._length:
                self._cut_off_room()
        if self._new and self.size == 0:
            with suppress(OSError):  # its folder may have been removed or closed to this user
                self.path.unlink()
        os.close(self._descriptor)
        self._copy.close()


def _lock(descriptor: int) -> None:
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _sync_folder(path: Path) -> None:
    """Put the name of a new file on the disk, on systems where a folder can be opened for that."""
    if os.name != "posix":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _first_difference(found: bytes, written: bytes) -> int:
    """Where two different runs of bytes begin to differ."""
    pairs = enumerate(zip(found, written, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(found), len(written)))


def _numbered(path: Path) -> Iterator[Path]:
    """Names for a file that takes the place of another: ``friday-2.journal``, ``friday-3.journal`` and so on."""
    for number in count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")


def _new_file_beside(path: Path, data: bytes) -> Path:
    number = 1
    while True:
        kept = path.with_name(f"{path.name}.torn-{number}")
        try:
            descriptor = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
        except FileExistsError:
            number += 1
            continue
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return kept
