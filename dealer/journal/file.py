"""A file that grows by whole pieces: each is on the disk, or it is as if it had never been."""

import os
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Self

from dealer.errors import JournalError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None

_sync = getattr(os, "fdatasync", os.fsync)
_OWNER_ONLY = 0o600
"""Hole cards are in a journal: nobody else may read it."""


class AppendFile:
    """A file open for writing at its end, which no other dealer can open meanwhile. Use ``create`` or ``reopen``.

    Attributes:
        path: where it is.
        size: bytes that are on the disk.

    Args:
        path: where it is.
        descriptor: open for appending.
        new: whether it was made just now, and so is taken away again if nothing is ever written.
    """

    def __init__(self, path: Path, descriptor: int, *, new: bool) -> None:
        self.path = path
        self.size = 0
        self._descriptor = descriptor
        self._dirty = False
        self._new = new

    @classmethod
    def create(cls, path: Path) -> Self:
        """A new file, or one in which nothing was ever written.

        Raises:
            JournalError: the file exists already, cannot be made, or is another dealer's.
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
        """An empty file, as a dealer leaves it behind that dies in its lobby; no other that exists."""
        try:
            if not path.is_file() or path.stat().st_size:
                raise JournalError(f"{path} exists already; a journal is never overwritten, choose another name")
            path.chmod(_OWNER_ONLY)
        except OSError as error:
            raise JournalError(f"cannot write the journal {path}: {error.strerror}") from None
        return cls.reopen(path)

    @classmethod
    def reopen(cls, path: Path) -> Self:
        """A file that is there, to go on behind all it holds.

        Raises:
            JournalError: it is not there, cannot be written, or another dealer writes it.
        """
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
        except FileNotFoundError:
            raise JournalError(f"there is no journal {path}") from None
        except OSError as error:
            raise JournalError(f"cannot write the journal {path}: {error.strerror}") from None
        return cls(path, descriptor, new=False)._claimed()

    def _claimed(self) -> Self:
        """This file, locked, and its name on the disk; closed if that cannot be."""
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
        """Put ``data`` on the disk, all of it. What an attempt that failed left behind is taken away first.

        Raises:
            OSError: it is not on the disk; try again.
        """
        if self._dirty:
            # After an error the system may have dropped what it had not yet written: never trust a second sync alone.
            os.ftruncate(self._descriptor, self.size)
        self._dirty = True
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
        _sync(self._descriptor)
        self.size += len(data)
        self._dirty = False

    def cut(self, whole: int) -> Path:
        """Keep what stands behind the first ``whole`` bytes in a file beside this one, whose name is returned,

        and cut it off here.

        Raises:
            JournalError: one of the two cannot be written; nothing was cut off.
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
        """Close the file, without what a failed attempt left in it; a new one that holds nothing is taken away."""
        if self._dirty:
            with suppress(OSError):  # then the next reader finds a torn end, and can cut it off
                os.ftruncate(self._descriptor, self.size)
        if self._new and self.size == 0:
            with suppress(OSError):  # its folder may be gone, or closed to us
                self.path.unlink()
        os.close(self._descriptor)


def _lock(descriptor: int) -> None:
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _sync_folder(path: Path) -> None:
    """Put the name of a new file on the disk too, where a folder can be opened for that."""
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
