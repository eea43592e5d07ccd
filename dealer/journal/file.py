"""A file that grows at its end: bytes are handed to the system at once, and forced to the disk later.

What the system was handed is there for every reader, and stays if this process is killed. Only a power cut, or a crash
of the system, takes what was not forced. All bytes since the last force that succeeded are kept here as well: after one
that failed the system may drop them and call the next force a success, so they are written again before it.

One thread appends. Another may call ``force`` and ``loss`` meanwhile, but ``write_again`` and ``begin_anew`` only while
nothing is appended.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import FileIO
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import IO, Self

from dealer.errors import JournalError, UnreadableError
from dealer.journal.batches import NO_HEAD
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


class AppendFile:
    """A file open for writing at its end, which no other dealer can open meanwhile. Use ``create`` or ``reopen``.

    Attributes:
        path: where it is.
        size: bytes that the system was handed.
        forced: of those, how many are on the disk.
        head: of the chain of batches in it, which is kept here by those who read and append batches.

    Args:
        path: where it is.
        descriptor: open for reading and writing.
        new: whether the file was made just now; it is removed again if nothing is ever written.
    """

    def __init__(self, path: Path, descriptor: int, *, new: bool) -> None:
        self.path = path
        self.size = self.forced = 0
        self.head = NO_HEAD
        self._descriptor = descriptor
        self._unforced = bytearray()  # from the byte `forced` on; more than `size` tells if an append has failed
        self._closed = False
        self._new = new
        self._copy = NamelessCopy()  # of what is forced
        self._compared = 0  # where the next comparison with the copy begins
        self._altered = False

    @property
    def _end(self) -> int:
        """Bytes of the file when all that was to be appended is in it."""
        return self.forced + len(self._unforced)

    @property
    def unforced(self) -> int:
        """Bytes that were to be appended and are not on the disk."""
        return len(self._unforced)

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
            self.size = self.forced = os.fstat(self._descriptor).st_size
            if self._new:
                _sync_folder(self.path)
            else:
                _sync(self._descriptor)  # a dealer that was killed may not have forced its last bytes
                self._copy.add_all_of(self.path)
        except BlockingIOError:
            self.close()
            raise JournalError(f"another dealer is writing {self.path}; stop it first") from None
        except OSError as error:
            self.close()
            raise JournalError(f"cannot write the journal {self.path}: {error.strerror}") from None
        return self

    def append(self, data: bytes) -> None:
        """Hand all of ``data`` to the system.

        Raises:
            OSError: not all of it is in the file; ``write_again`` tries again, and before it has, append nothing else.
        """
        self._unforced += data
        length = os.lseek(self._descriptor, 0, os.SEEK_END)
        if length != self.size:
            raise OSError(f"it has {length} bytes instead of {self.size}")
        self._write(data)
        self.size += len(data)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def force(self) -> None:
        """Put all that was appended so far on the disk.

        Raises:
            OSError: it may not be there; call ``write_again`` before the next attempt.
        """
        count = self.size - self.forced
        _sync(self._descriptor)
        self._copy.add(bytes(self._unforced[:count]))
        del self._unforced[:count]
        self.forced += count

    def write_again(self) -> None:
        """Write all that is not on the disk once more, with what a failed append left out.

        The same bytes go to the same places, so this takes nothing away from what is in the file.

        Raises:
            OSError: not all of it is in the file; try again.
        """
        os.lseek(self._descriptor, self.forced, os.SEEK_SET)
        self._write(bytes(self._unforced))
        self.size = self._end

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
            # Started once more, because ``append`` uses the place in the file at which the other descriptor is.
            with self.path.open("rb", buffering=0) as file:
                place = self._altered_at(file)
        except OSError as error:
            return f"cannot be read ({error.strerror})"
        # Asked for last: of a file that is cut while its bytes are compared, some differ, but it is its length that
        # tells what happened. Between the two sizes is what is being appended meanwhile.
        size = self.size
        length = os.fstat(self._descriptor).st_size
        if not size <= length <= self._end:
            return f"was altered: it has {length} bytes instead of {size}"
        return None if place is None else f"was altered: byte {place} is not as it was written"

    def _altered_at(self, file: FileIO) -> int | None:
        """The place of a byte that is not as it was written; None if all that are compared now are.

        Raises:
            OSError: the file cannot be read.
        """
        rest = self.forced if self._altered else min(self.forced, LOOK_BYTES)
        while rest > 0:
            if self._compared >= self.forced:
                self._compared = 0
            count = min(_PART_BYTES, rest, self.forced - self._compared)
            written = self._copy.read(self._compared, count)
            if written is None:
                break
            file.seek(self._compared)
            found = file.read(count)
            if found != written:
                self._altered = True
                return self._compared + _first_difference(found, written)
            self._compared += count
            rest -= count
        self._altered = False
        return None

    def begin_anew(self) -> None:
        """Write all to a new file beside the lost one, force it, and append to that from now on.

        Raises:
            JournalError: the new file cannot be made, or there is no copy.
            OSError: it cannot be written.
        """
        forced = self._copy.read(0, self.forced)
        if forced is None:
            raise JournalError("there was no room for a copy")
        path = next(path for path in _numbered(self.path) if not path.exists())
        other = type(self).create(path)
        try:
            other.append(forced + self._unforced)
            other.force()
        except BaseException:
            other.close()
            raise
        os.close(self._descriptor)
        self._copy.close()
        self.path, self._descriptor, self._copy = path, other._descriptor, other._copy
        self.size = self.forced = other.size
        self._unforced.clear()
        self._altered = False

    def cut(self, whole: int) -> Path | None:
        """Cut off what follows the first ``whole`` bytes: what a crash has left of the last batches.

        Returns:
            The path of a new file beside this one, to which all was moved up to zeros at the end; None if there was
            nothing.

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
        self.size = self.forced = whole
        self._copy.cut(whole)
        return kept

    def close(self) -> None:
        """Close the file without what a failed append has left in it; remove an empty new file.

        Closing it again does nothing.
        """
        if self._closed:
            return
        self._closed = True
        if self.size < self._end:
            with suppress(OSError):  # the next reader then finds a torn end, and can cut it off
                if os.fstat(self._descriptor).st_size > self.size:
                    os.ftruncate(self._descriptor, self.size)
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


class NamelessCopy:
    """The bytes of a journal once more, in a file without a name, which nobody can delete or open by its path.

    With it a lost journal can be written again, and bytes that were overwritten are found. It goes away with this
    process.

    Where there is no folder or no room for it, or it fails, there is no copy from then on; nothing raises an error.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        try:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        except OSError:  # a container may have no folder for it
            return

    def add_all_of(self, path: Path) -> None:
        """Add what a file holds."""

        def add_all(copy: IO[bytes]) -> None:
            with path.open("rb") as file:
                shutil.copyfileobj(file, copy)

        self._do(add_all)

    def add(self, data: bytes) -> None:
        """Add bytes at the end."""
        self._do(lambda copy: copy.write(data))

    def read(self, start: int, count: int) -> bytes | None:
        """Bytes from ``start`` on, ``count`` of them or as many as there are; None if there is no copy."""
        read: list[bytes] = []

        def read_part(copy: IO[bytes]) -> None:
            copy.seek(start)
            read.append(copy.read(count))
            copy.seek(0, os.SEEK_END)

        self._do(read_part)
        return read[0] if read else None

    def cut(self, whole: int) -> None:
        """Keep the first ``whole`` bytes only."""

        def cut(copy: IO[bytes]) -> None:
            copy.truncate(whole)
            copy.seek(whole)

        self._do(cut)

    def close(self) -> None:
        """Give the copy up. Closing it again does nothing."""
        if self._file is not None:
            with suppress(OSError):  # the last bytes may find no room
                self._file.close()
            self._file = None

    def _do(self, work: Callable[[IO[bytes]], object]) -> None:
        if self._file is None:
            return
        try:
            work(self._file)
        except OSError:
            self.close()
