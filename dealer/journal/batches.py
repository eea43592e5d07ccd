"""Batches: records that gather while the disk is busy, and are forced to it together.

Forcing takes as long as thousands of rules take to apply, and every table waits for it once a hand. So all records that
gather while one batch is under way make the next one, and tables that finish a hand at the same moment share a batch.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import trio

from dealer.journal.records import Record

#: Takes records once they are on the disk, in their order. It must neither wait nor raise.
Listener = Callable[[Sequence[Record]], None]

#: Seconds that a table waits, at most, for other tables to share its batch. Forcing each hand of many tables to the
#: disk by itself would take a quarter of the dealer's time.
GATHER_SECONDS = 0.005


class Batch(NamedTuple):
    """Records on their way to the disk.

    Attributes:
        records: their bytes.
        on_disk: is set when they are there.
        since: the trio time at which the first of them was recorded.
        untold: the same records for the listeners; empty if there are none.
    """

    records: bytes
    on_disk: trio.Event
    since: float
    untold: Sequence[Record]


class Listeners:
    """Functions that are told every record, and the records that they have not been told yet."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._untold: list[Record] = []

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def add(self, listener: Listener) -> None:
        """Tell ``listener`` the records from now on."""
        self._listeners.append(listener)

    def keep(self, record: Record) -> None:
        """Keep a record until it may be told."""
        self._untold.append(record)

    def take_untold(self) -> Sequence[Record]:
        """The records that were kept; they are kept no longer."""
        untold, self._untold = self._untold, []
        return untold

    def tell(self, records: Sequence[Record]) -> None:
        """Tell all listeners these records."""
        if records:
            for listener in self._listeners:
                listener(records)


class Batches:
    """Gathers records, and decides when they leave for the disk.

    Args:
        send: takes a batch that leaves; ``finish`` is to be called when it is on the disk.
        write_now: puts a batch on the disk at once, or returns False; asked for batches that all tables wait for.
        listeners: are told each batch when it is on the disk.

    Attributes:
        tables: how many tables play now, each of which waits for its hand to be on the disk.
    """

    def __init__(self, send: Callable[[Batch], None], write_now: Callable[[Batch], bool], listeners: Listeners) -> None:
        self.tables = 0
        self._send = send
        self._write_now = write_now
        self._listeners = listeners
        self._gathered: list[bytes] = []
        self._since = 0.0
        self._on_disk = trio.Event()
        self._on_disk.set()
        self._before_deals = self._on_disk
        self._under_way: Batch | None = None
        self._waiting = 0
        self._due = trio.Event()
        self._gathering = trio.CancelScope()

    @property
    def waiting_bytes(self) -> int:
        """Bytes of records that are not on the disk yet."""
        return sum(map(len, self._gathered)) + (len(self._under_way.records) if self._under_way else 0)

    @property
    def lag(self) -> float:
        """Seconds since the oldest record that is not on the disk yet was recorded; 0 without one."""
        if self._under_way:
            return trio.current_time() - self._under_way.since
        return trio.current_time() - self._since if self._gathered else 0.0

    @property
    def unsaved(self) -> bool:
        """Whether a record is not on the disk."""
        return bool(self._gathered) or not self._on_disk.is_set()

    @property
    def holds_up_deals(self) -> bool:
        """Whether a record is not on the disk that must be there before the next hand is dealt."""
        return not self._before_deals.is_set()

    def add(self, packed: bytes, *, before_deals: bool = False) -> None:
        """Take the bytes of one record; it leaves when a table waits for it.

        Args:
            packed: the bytes.
            before_deals: whether no hand may be dealt before they are on the disk.
        """
        if not self._gathered:
            self._on_disk = trio.Event()
            self._since = trio.current_time()
        self._gathered.append(packed)
        if before_deals:
            self._before_deals = self._on_disk

    async def saved(self) -> None:
        """Wait until all records taken so far are on the disk."""
        if self._gathered:
            self._waiting += 1
            self._start_when_due()
        if not self._on_disk.is_set():
            await self._on_disk.wait()

    async def gather(self) -> None:
        """Start each batch that not all tables wait for, ``GATHER_SECONDS`` after its first wait; until ``close``."""
        with self._gathering:
            while True:
                await self._due.wait()
                self._due = trio.Event()
                await trio.sleep(GATHER_SECONDS)
                if self._gathered and self._under_way is None:
                    self._start(self._take_batch())

    def finish(self, batch: Batch) -> None:
        """Tell listeners, and then the tables that wait, that a batch is on the disk; the next one may leave."""
        self._under_way = None
        self._listeners.tell(batch.untold)
        batch.on_disk.set()
        if self._gathered:
            self._start_when_due()

    def close(self) -> None:
        """Let the last records leave."""
        self._gathering.cancel()
        if self._gathered:
            self._start(self._take_batch())

    def _start_when_due(self) -> None:
        """Start a batch at once if all tables wait, so that none could add to it; else in a moment."""
        if self._under_way is not None:
            return  # `finish` looks again
        if self._waiting < self.tables:
            self._due.set()
        elif self._write_now(batch := self._take_batch()):
            self.finish(batch)
        else:
            self._start(batch)

    def _take_batch(self) -> Batch:
        """All that has gathered."""
        batch = Batch(b"".join(self._gathered), self._on_disk, self._since, self._listeners.take_untold())
        self._waiting = 0
        self._gathered = []
        return batch

    def _start(self, batch: Batch) -> None:
        self._under_way = batch
        self._send(batch)
