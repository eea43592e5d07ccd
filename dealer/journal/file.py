"""A file that grows by whole pieces: a piece is on the disk entirely, or it is taken away again."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import IO, Self

from dealer.errors import JournalError
from dealer.journal.records import NO_HEAD

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None

_sync = getattr(os, "fdatasync", os.fsync)

#: The permissions of a journal. It holds hole cards, so no other user may read it.
_OWNER_ONLY = 0o600


class AppendFile:
    """A file open for writing at its end, which no other dealer can open meanwhile. Use ``create`` or ``reopen``.

    Attributes:
        path: where it is.
        size: bytes that are on the disk.
        head: of the chain of batches in it, which is kept here by those who read and append batches.

    Args:
        path: where it is.
        descriptor: open for appending.
        new: whether the file was made just now; it is removed again if nothing is ever written.
    """

    def __init__(self, path: Path, descriptor: int, *, new: bool) -> None:
        self.path = path
        self.size = 0
        self.head = NO_HEAD
        self._descriptor = descriptor
        self._dirty = False
        self._closed = False
        self._new = new
        # A copy without a name, which nobody can delete: should the file be lost during play, it can be written again.
        self._copy: IO[bytes] | None = _nameless_file()

    @classmethod
    def create(cls, path: Path) -> Self:
        """Make a file, or take over an empty one.

        Raises:
            JournalError: the file exists already, cannot be made, or another dealer writes it.
        """
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, _OWNER_ONLY)
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
            JournalError: it does not exist, cannot be written, or another dealer writes it.
        """
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
        except FileNotFoundError:
            raise JournalError(f"there is no journal {path}") from None
        except OSError as error:
            raise JournalError(f"cannot write the journal {path}: {error.strerror}") from None
        return cls(path, descriptor, new=False)._claimed()

    def _claimed(self) -> Self:
        """Lock the file and put its name on the disk; close it if that fails."""
        try:
            _lock(self._descriptor)
            self.size = os.fstat(self._descriptor).st_size
            if self._new:
                _sync_folder(self.path)
            else:
                self._copy_all()
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
            os.ftruncate(self._descriptor, self.size)
        self._dirty = True
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        _sync(self._descriptor)
        self.size += len(data)
        self._dirty = False
        self._add_to_copy(data)

    def _copy_all(self) -> None:
        """Copy what a reopened file holds."""
        if self._copy is None:
            return
        try:
            with self.path.open("rb") as file:
                shutil.copyfileobj(file, self._copy)
        except OSError:  # it may be written and not read, or there is no room for a copy
            self._copy.close()
            self._copy = None

    def _add_to_copy(self, data: bytes) -> None:
        if self._copy is None:
            return
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._copy.write(rest) :]
        except OSError:  # there is no room for it: then a lost file stays lost
            self._copy.close()
            self._copy = None

    def loss(self) -> str | None:
        """What has become of the file since it was written, in words; None if it is there with all its bytes."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return "was deleted or moved away"
        except OSError as error:
            return f"cannot be reached ({error.strerror})"
        ours = os.fstat(self._descriptor)
        if not os.path.samestat(found, ours):
            return "was replaced by another file"
        if not self._dirty and ours.st_size != self.size:
            return f"was altered: it has {ours.st_size} bytes instead of {self.size}"
        return None

    def begin_anew(self) -> None:
        """Write all that was appended to a new file beside the lost one, and append to that from now on.

        Raises:
            JournalError: the new file cannot be made, or there is no copy.
            OSError: it cannot be written.
        """
        if self._copy is None:
            raise JournalError("there was no room for a copy")
        path = next(path for path in _numbered(self.path) if not path.exists())
        other = type(self).create(path)
        try:
            self._copy.seek(0)
            data = self._copy.read()
            other.append(data)
        except BaseException:
            other.close()
            raise
        os.close(self._descriptor)
        self._copy.close()
        self.path, self._descriptor, self._copy, self._dirty = path, other._descriptor, other._copy, False

    def cut(self, whole: int) -> Path:
        """Move what follows the first ``whole`` bytes to a new file beside this one, and return its path.

        Raises:
            JournalError: one of the two files cannot be written; nothing was cut off.
        """
        try:
            tail = self.path.read_bytes()[whole:]
            kept = _new_file_beside(self.path, tail)
            os.ftruncate(self._descriptor, whole)
            os.fsync(self._descriptor)
        except OSError as error:
            raise JournalError(f"cannot cut the torn end off {self.path}: {error.strerror}") from None
        self.size = whole
        if self._copy is not None:
            self._copy.truncate(whole)
            self._copy.seek(whole)
        return kept

    def close(self) -> None:
        """Close the file without what a failed attempt has left in it; remove a new file that holds nothing.

        Closing it again does nothing.
        """
        if self._closed:
            return
        self._closed = True
        if self._dirty:
            with suppress(OSError):  # the next reader then finds a torn end, and can cut it off
                os.ftruncate(self._descriptor, self.size)
        if self._new and self.size == 0:
            with suppress(OSError):  # its folder may have been removed or closed to this user
                self.path.unlink()
        os.close(self._descriptor)
        if self._copy is not None:
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


def _nameless_file() -> IO[bytes] | None:
    """A file that goes away with this process; None where there is no folder for it."""
    try:
        return tempfile.TemporaryFile(buffering=0)
    except OSError:
        return None


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
