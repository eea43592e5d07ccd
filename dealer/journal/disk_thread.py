"""The thread that forces batches to the disk, and tries again as long as the disk refuses one.

It also looks whether the file is still there as it was written. A file that was deleted, replaced or cut during play is
like a disk that refuses: tables wait until the host has put it back, or has asked for a new one.
"""

import queue
import threading
import time
from collections.abc import Callable

import structlog
import trio

from dealer.errors import JournalError
from dealer.journal.batches import Batch
from dealer.journal.file import AppendFile
from dealer.journal.records import pack_batch

log = structlog.get_logger()

#: Seconds until a disk that refused a batch is asked again.
RETRY_SECONDS = 1.0

#: Seconds after which the file is looked at again: it may have been deleted, replaced or cut.
LOOK_SECONDS = 0.5


class DiskThread:
    """Writes batches to a file, one after the other. ``run`` is called in a thread; all else in trio's own.

    Args:
        file: where batches go.
        tell_host: called with a sentence when the disk refuses a batch or the file is lost, and when all is well again.

    Attributes:
        trouble: why the disk refuses a batch now, or what has become of the file, in words; None while all is well.
    """

    def __init__(self, file: AppendFile, tell_host: Callable[[str], None]) -> None:
        self.trouble: str | None = None
        self._file = file
        self._tell_host = tell_host
        self._batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._anew = threading.Event()
        self._path = file.path
        self._told: str | None = None
        self._next_look = 0.0
        self._answers_host = False
        self._no_new_file: str | None = None

    def send(self, batch: Batch) -> None:
        """Hand a batch over to the thread."""
        self._batches.put(batch)

    def close(self) -> None:
        """Let the thread end when all batches are written, or when the disk refuses one."""
        self._closing.set()
        self._batches.put(None)

    def run(self, token: trio.lowlevel.TrioToken, written: Callable[[Batch], None]) -> None:
        """Write what is handed over until ``close``.

        Args:
            token: of the trio loop.
            written: called there with every batch that is on the disk.
        """
        while True:
            try:
                batch = self._batches.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                self._tell(self._loss(), token)
                continue
            if batch is None:
                return
            data, head = pack_batch(batch.records, self._file.head)
            if not self._write(data, token):
                return
            self._file.head = head
            token.run_sync_soon(written, batch)

    def begin_anew(self) -> None:
        """Write a new file with all records so far, if the journal is lost; ``trouble`` is None when that is done."""
        self._anew.set()

    @property
    def begins_anew(self) -> bool:
        """Whether a new file was asked for and is not written yet."""
        return self._anew.is_set()

    def _write(self, data: bytes, token: trio.lowlevel.TrioToken) -> bool:
        """Whether ``data`` reached the disk before the journal was closed."""
        while (why := self._try(data)) is not None:
            self._tell(why, token)
            if self._closing.wait(RETRY_SECONDS):
                return False
        self._tell(None, token)
        return True

    def _try(self, data: bytes) -> str | None:
        """Why ``data`` could not be written; None if it is on the disk."""
        why = self._loss()
        if why is None:
            try:
                self._file.append(data)
            except OSError as error:
                return f"cannot be written ({error.strerror or error})"
        return why

    def _loss(self) -> str | None:
        """Why the file is not there as it was written; None if it is, or was a moment ago."""
        now = time.monotonic()
        if self._told is None and now < self._next_look:
            return None
        self._next_look = now + LOOK_SECONDS
        why = self._file.loss()
        self._answers_host = self._anew.is_set()
        if why is not None and self._answers_host:
            self._no_new_file = self._begun_anew()
            why = why if self._no_new_file else None
        if why is not None and self._no_new_file:
            why = f"{why}, and {self._no_new_file}"
        return why

    def _begun_anew(self) -> str | None:
        """Why no new file could be written; None if it is there."""
        try:
            self._file.begin_anew()
        except OSError as error:
            return f"cannot be written to a new file ({error.strerror or error})"
        except JournalError as error:
            return f"cannot be written to a new file ({error})"
        return None

    def _tell(self, why: str | None, token: trio.lowlevel.TrioToken) -> None:
        """Tell the host that there is trouble, or that there is none any more; each only once."""
        before, self._told = self._told, why
        if why is None and before is not None:
            token.run_sync_soon(self._accepted)
        elif why is not None and before is None:
            token.run_sync_soon(self._refused, why)
        elif why is not None and why != before:
            token.run_sync_soon(self._note, why)
        if self._answers_host:
            self._answers_host = False
            token.run_sync_soon(self._anew.clear)  # behind the above, so that ``trouble`` is up to date by then

    def _note(self, why: str) -> None:
        self.trouble = f"the journal {why}"

    def _refused(self, why: str) -> None:
        self._note(why)
        log.error("journal refused", path=str(self._file.path), reason=why)
        remedy = (
            f"make room for {self._file.path}, and play goes on by itself"
            if why.startswith("cannot be written")
            else f"put {self._file.path} back as it was, or let `casino desk journal` write a new one with all so far"
        )
        self._tell_host(f"No more hands for now: {self.trouble}. Everybody keeps seat and chips; {remedy}.")

    def _accepted(self) -> None:
        self.trouble = None
        log.warning("journal accepted again", path=str(self._file.path))
        self._tell_host(f"The journal can be written again; play goes on.{self._renamed()}")

    def _renamed(self) -> str:
        """A sentence about the new file, if one was begun."""
        before, self._path = self._path, self._file.path
        return "" if before == self._path else f" It is now {self._path}."
