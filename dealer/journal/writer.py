"""Writing a journal while tables play: records gather, and a thread of their own forces them to the disk.

Forcing takes as long as thousands of rules take to apply, and a table waits for it once a hand. All
records that gather while one batch is under way make the next batch, so that many tables wait together.
"""

import queue
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from math import inf
from typing import Any, NamedTuple

import structlog
import trio

from dealer.errors import LostRecordsError
from dealer.journal.file import AppendFile
from dealer.journal.records import Record, pack_batch, pack_record

log = structlog.get_logger()

Listener = Callable[[Sequence[Record]], None]
"""Is told records once they are on the disk, in their order. It must neither wait nor raise anything."""

RETRY_SECONDS = 1.0
"""How often a disk that refused a batch is asked again."""

GATHER_SECONDS = 0.005
"""How long a table at most waits for others to share its batch: forcing each hand of many tables to the disk by
itself would take a quarter of the dealer's time."""


class _Batch(NamedTuple):
    """Records on their way to the disk.

    Attributes:
        records: their bytes.
        on_disk: is set when they are there.
        since: the trio time of the first.
        untold: the same records for whoever listens; empty if nobody does.
    """

    records: bytes
    on_disk: trio.Event
    since: float
    untold: Sequence[Record]


class Journal:
    """Takes records, and tells when they are on the disk. Use ``open_journal``; ``Journal(None)`` keeps nothing.

    Attributes:
        trouble: what keeps records from the disk now, in words; None while all is well.
        tables: how many tables play now, each of which waits for its hand to be saved.
    """

    def __init__(
        self, file: AppendFile | None, tell_host: Callable[[str], None] = lambda _: None, limit: float = inf
    ) -> None:
        self.trouble: str | None = None
        self.tables = 0
        self._limit = limit
        self._file = file
        self._tell_host = tell_host
        self._gathered: list[bytes] = []
        self._since = 0.0
        self._listeners: list[Listener] = []
        self._untold: list[Record] = []
        self._on_disk = trio.Event()
        self._on_disk.set()
        self._batch: _Batch | None = None
        self._waiting = 0
        self._due = trio.Event()
        self._gathering = trio.CancelScope()
        self._batches: queue.SimpleQueue[_Batch | None] = queue.SimpleQueue()
        self._closing = threading.Event()

    @property
    def outgrown(self) -> bool:
        """Whether the file has as many bytes as it may have."""
        return self._file is not None and self._file.size >= self._limit

    @property
    def size(self) -> int:
        """Bytes on the disk; 0 where nothing is kept."""
        return 0 if self._file is None else self._file.size

    @property
    def waiting_bytes(self) -> int:
        """Bytes recorded that are not on the disk yet."""
        return sum(map(len, self._gathered)) + (len(self._batch.records) if self._batch else 0)

    @property
    def lag(self) -> float:
        """Seconds since the oldest record that is not on the disk yet was recorded; 0 without one."""
        if self._batch:
            return trio.current_time() - self._batch.since
        return trio.current_time() - self._since if self._gathered else 0.0

    def tell(self, listener: Listener) -> None:
        """From now on tell ``listener`` every record when it is on the disk, before anybody goes on who waits for that.

        Where nothing is kept, it is told when somebody would wait.
        """
        self._listeners.append(listener)

    def record(self, type_: str, **facts: Any) -> None:
        """Take one record; ``saved`` puts it on the disk."""
        if self._listeners:
            self._untold.append({"type": type_, **facts})
        if self._file is None:
            return
        if not self._gathered:
            self._on_disk = trio.Event()
            self._since = trio.current_time()
        self._gathered.append(pack_record(type_, facts))

    async def saved(self) -> None:
        """Wait until all that was recorded is on the disk, however long the disk refuses it."""
        if self._file is None:
            untold, self._untold = self._untold, []
            self._tell(untold)
            return
        if self._gathered:
            self._waiting += 1
            self._start_when_due()
        if not self._on_disk.is_set():
            await self._on_disk.wait()

    async def gather(self) -> None:
        """Start each batch that not all tables wait for, a moment after its first record."""
        with self._gathering:
            while True:
                await self._due.wait()
                self._due = trio.Event()
                await trio.sleep(GATHER_SECONDS)
                if self._gathered and self._batch is None:
                    self._start_batch()

    def _start_when_due(self) -> None:
        """Start a batch at once if nobody is left who could add to it, else in a moment."""
        if self._batch is not None:
            return
        if self._waiting >= self.tables:
            self._start_batch()
        else:
            self._due.set()

    def _start_batch(self) -> None:
        self._waiting = 0
        self._batch = _Batch(b"".join(self._gathered), self._on_disk, self._since, self._untold)
        self._batches.put(self._batch)
        self._gathered, self._untold = [], []

    def _batch_done(self, batch: "_Batch") -> None:
        self._batch = None
        self._tell(batch.untold)
        batch.on_disk.set()
        if self._gathered:
            self._start_when_due()

    def _tell(self, records: Sequence[Record]) -> None:
        if records:
            for listener in self._listeners:
                listener(records)

    def write_batches(self, token: trio.lowlevel.TrioToken) -> None:
        """The thread: write what is handed over until None comes."""
        while (batch := self._batches.get()) is not None:
            if not self._write(pack_batch(batch.records), token):
                return
            token.run_sync_soon(self._batch_done, batch)

    def _write(self, data: bytes, token: trio.lowlevel.TrioToken) -> bool:
        """Whether ``data`` reached the disk before the journal was closed."""
        assert self._file is not None
        refused = False
        while True:
            try:
                self._file.append(data)
            except OSError as error:
                if not refused:
                    token.run_sync_soon(self._in_trouble, error.strerror or str(error))
                refused = True
                if self._closing.wait(RETRY_SECONDS):
                    return False
            else:
                if refused:
                    token.run_sync_soon(self._out_of_trouble)
                return True

    def _in_trouble(self, why: str) -> None:
        assert self._file is not None
        self.trouble = f"the journal cannot be written ({why})"
        log.error("journal refused", path=str(self._file.path), reason=why)
        self._tell_host(
            f"No more hands for now: {self.trouble}. Everybody keeps seat and chips; "
            f"make room for {self._file.path}, and play goes on by itself."
        )

    def _out_of_trouble(self) -> None:
        self.trouble = None
        log.warning("journal accepted again")
        self._tell_host("The journal can be written again; play goes on.")

    def close(self) -> None:
        """Hand over what has gathered, and let the thread end once that is written or refused."""
        self._gathering.cancel()
        if self._gathered:
            self._start_batch()
        self._closing.set()
        self._batches.put(None)

    @property
    def lost(self) -> bool:
        """Whether something recorded is not on the disk."""
        return bool(self._gathered) or not self._on_disk.is_set()


@asynccontextmanager
async def open_journal(
    file: AppendFile | None, tell_host: Callable[[str], None] = lambda _: None, limit: float = inf
) -> AsyncIterator[Journal]:
    """A journal whose thread and file end with the block.

    Args:
        file: where records go; None keeps nothing.
        tell_host: called with a sentence when the disk refuses records, and when it takes them again.
        limit: bytes from which the journal is ``outgrown``.

    Raises:
        LostRecordsError: at the end of the block, if the disk never took the last records.
    """
    journal = Journal(file, tell_host, limit)
    if file is None:
        yield journal
        return
    try:
        async with trio.open_nursery() as nursery:
            token = trio.lowlevel.current_trio_token()
            nursery.start_soon(trio.to_thread.run_sync, journal.write_batches, token)
            try:
                nursery.start_soon(journal.gather)
                yield journal
            finally:
                journal.close()
    finally:
        file.close()
    if journal.lost:
        raise LostRecordsError(f"the last records could not be written to {file.path}: {_loss(file, journal)}")


def _loss(file: AppendFile, journal: Journal) -> str:
    """What became of the tournament with records that are lost."""
    if not file.size:
        return f"{journal.trouble}, not even the start, so there is nothing to play on"
    return f"{journal.trouble}; all before them is there and counts"
