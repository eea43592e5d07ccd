"""The journal while tables play: takes records, and says when they are on the disk.

Three parts do the work: ``Batches`` gathers records, ``DiskThread`` forces them to the disk, and ``Listeners`` are told
them after that.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from math import inf
from pathlib import Path
from typing import Any

import trio

from dealer.errors import LostRecordsError
from dealer.journal.batches import Batches, Listener, Listeners
from dealer.journal.disk_thread import DiskThread
from dealer.journal.file import AppendFile
from dealer.journal.records import pack_record

#: Records that decide who is dealt which hand at what price. A table deals only when they are on the disk: a dealer
#: that resumes without one of them would not know that the hand was dealt, and would deal the same cards again.
#: Records of hands are not among them, because each table waits for its own.
_BEFORE_DEALS = frozenset({"start", "round", "game", "level", "move", "out", "readmitted", "resume", "void"})


class Journal:
    """Records of a tournament on their way to its file. Use ``open_journal``; ``Journal(None)`` keeps nothing.

    Args:
        file: where records go; None keeps nothing.
        tell_host: called with a sentence when the disk refuses records, and when it takes them again.
        limit: bytes from which the journal is ``outgrown``.
    """

    def __init__(
        self, file: AppendFile | None, tell_host: Callable[[str], None] = lambda _: None, limit: float = inf
    ) -> None:
        self._file = file
        self._limit = limit
        self._listeners = Listeners()
        self._disk = None if file is None else DiskThread(file, tell_host)
        self._batches = None if self._disk is None else Batches(self._disk.send, self._disk.write_now, self._listeners)

    @property
    def trouble(self) -> str | None:
        """Why the disk refuses records now, or what has become of the file, in words; None while all is well."""
        return None if self._disk is None else self._disk.trouble

    @property
    def lost(self) -> bool:
        """Whether the file was deleted, replaced, cut or altered; a new one can be begun then."""
        return self._disk is not None and self._disk.lost

    def begin_anew(self) -> None:
        """Write a new file with all records so far, if the journal was lost during play; see ``trouble``."""
        if self._disk is not None:
            self._disk.begin_anew()

    @property
    def begins_anew(self) -> bool:
        """Whether a new file is being written in place of a lost one."""
        return self._disk is not None and self._disk.begins_anew

    @property
    def kept(self) -> bool:
        """Whether there is a file, from which the tournament can be resumed."""
        return self._file is not None

    @property
    def path(self) -> Path | None:
        """Where the file is; None where nothing is kept."""
        return None if self._file is None else self._file.path

    @property
    def outgrown(self) -> bool:
        """Whether the file has as many bytes as it may have."""
        return self._file is not None and self._file.size >= self._limit

    @property
    def size(self) -> int:
        """Bytes on the disk; 0 where nothing is kept."""
        return 0 if self._file is None else self._file.size

    @property
    def head(self) -> bytes | None:
        """The head of the chain of all batches on the disk; None where nothing is kept."""
        return None if self._file is None else self._file.head

    @property
    def waiting_bytes(self) -> int:
        """Bytes of records that are not on the disk yet."""
        return 0 if self._batches is None else self._batches.waiting_bytes

    @property
    def lag(self) -> float:
        """Seconds since the oldest record that is not on the disk yet was recorded; 0 without one."""
        return 0.0 if self._batches is None else self._batches.lag

    @property
    def holds_up_deals(self) -> bool:
        """Whether tables must wait for ``saved`` before they deal, because what they deal follows from a new record."""
        return self._batches is not None and self._batches.holds_up_deals

    @contextmanager
    def table_playing(self) -> Iterator[None]:
        """While the block runs one table more plays, and batches wait a moment for its hands."""
        if self._batches is None:
            yield
            return
        self._batches.tables += 1
        try:
            yield
        finally:
            self._batches.tables -= 1

    @contextmanager
    def table_waiting(self) -> Iterator[None]:
        """While the block runs a table that plays deals no hand, so no batch has to wait for it."""
        if self._batches is None:
            yield
            return
        self._batches.tables -= 1
        try:
            yield
        finally:
            self._batches.tables += 1

    def tell(self, listener: Listener) -> None:
        """From now on tell ``listener`` every record once it is on the disk, before those who wait for it go on.

        A journal without a file tells it when ``saved`` is called.
        """
        self._listeners.add(listener)

    @property
    def is_read(self) -> bool:
        """Whether records go anywhere; if not, they need not even be made."""
        return self._batches is not None or bool(self._listeners)

    def record(self, type_: str, **facts: Any) -> None:
        """Take one record; ``saved`` puts it on the disk."""
        if self._listeners:
            self._listeners.keep({"type": type_, **facts})
        if self._batches is not None:
            self._batches.add(pack_record(type_, facts), before_deals=type_ in _BEFORE_DEALS)

    async def saved(self) -> None:
        """Wait until all that was recorded is on the disk, however long the disk refuses it."""
        if self._batches is None:
            self._listeners.tell(self._listeners.take_untold())
        else:
            await self._batches.saved()


@asynccontextmanager
async def open_journal(
    file: AppendFile | None, tell_host: Callable[[str], None] = lambda _: None, limit: float = inf
) -> AsyncIterator[Journal]:
    """A journal whose thread and file end with the block; see ``Journal`` for the arguments.

    Raises:
        LostRecordsError: at the end of the block, if the disk never took the last records.
    """
    journal = Journal(file, tell_host, limit)
    disk, batches = journal._disk, journal._batches
    if file is None or disk is None or batches is None:
        yield journal
        return
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(disk.serve, batches.finish)
            try:
                nursery.start_soon(batches.gather)
                yield journal
            finally:
                batches.close()
                disk.close()
    finally:
        disk.close_sockets()
        file.close()
    if batches.unsaved:
        raise LostRecordsError(f"the last records could not be written to {file.path}: {_loss(file, journal)}")


def _loss(file: AppendFile, journal: Journal) -> str:
    """What became of the tournament with records that are lost."""
    if not file.size:
        return f"{journal.trouble}, not even the start, so there is nothing to play on"
    if journal.lost:
        return f"{journal.trouble}; only the file as it was before can be played on"
    return f"{journal.trouble}; all before them is there and counts"
