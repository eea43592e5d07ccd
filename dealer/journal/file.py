"""A file that grows by whole pieces: a piece is on the disk entirely, or it is taken away again."""

import os
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Self

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
        self._new = new

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
        return kept

    def close(self) -> None:
        """Close the file without what a failed attempt has left in it; remove a new file that holds nothing."""
        if self._dirty:
            with suppress(OSError):  # the next reader then finds a torn end, and can cut it off
                os.ftruncate(self._descriptor, self.size)
        if self._new and self.size == 0:
            with suppress(OSError):  # its folder may have been removed or closed to this user
                self.path.unlink()
        os.close(self._descriptor)


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
