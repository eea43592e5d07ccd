"""The thread that forces batches to the disk, and tries again as long as the disk refuses one."""

import queue
import threading
from collections.abc import Callable

import structlog
import trio

from dealer.journal.batches import Batch
from dealer.journal.file import AppendFile
from dealer.journal.records import pack_batch

log = structlog.get_logger()

#: Seconds until a disk that refused a batch is asked again.
RETRY_SECONDS = 1.0


class DiskThread:
    """Writes batches to a file, one after the other. ``run`` is called in a thread; all else in trio's own.

    Args:
        file: where batches go.
        tell_host: called with a sentence when the disk refuses a batch, and when it takes it after all.

    Attributes:
        trouble: why the disk refuses a batch now, in words; None while it does not.
    """

    def __init__(self, file: AppendFile, tell_host: Callable[[str], None]) -> None:
        self.trouble: str | None = None
        self._file = file
        self._tell_host = tell_host
        self._batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._closing = threading.Event()

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
        while (batch := self._batches.get()) is not None:
            data, head = pack_batch(batch.records, self._file.head)
            if not self._write(data, token):
                return
            self._file.head = head
            token.run_sync_soon(written, batch)

    def _write(self, data: bytes, token: trio.lowlevel.TrioToken) -> bool:
        """Whether ``data`` reached the disk before the journal was closed."""
        refused = False
        while True:
            try:
                self._file.append(data)
            except OSError as error:
                if not refused:
                    token.run_sync_soon(self._refused, error.strerror or str(error))
                refused = True
                if self._closing.wait(RETRY_SECONDS):
                    return False
            else:
                if refused:
                    token.run_sync_soon(self._accepted)
                return True

    def _refused(self, why: str) -> None:
        self.trouble = f"the journal cannot be written ({why})"
        log.error("journal refused", path=str(self._file.path), reason=why)
        self._tell_host(
            f"No more hands for now: {self.trouble}. Everybody keeps seat and chips; "
            f"make room for {self._file.path}, and play goes on by itself."
        )

    def _accepted(self) -> None:
        self.trouble = None
        log.warning("journal accepted again")
        self._tell_host("The journal can be written again; play goes on.")
