"""The journal while tables play: takes records, writes them before anybody hears of them, and forces them to the disk.

To *write* is to hand bytes to the system. That takes microseconds, and what is written outlives the dealer, however it
dies. To *force* is to wait until they are on the disk, which takes a thousand times as long and only helps against a
power cut or a crash of the system. So tables wait until their hand is written, and a thread forces the file in the
background, at least once a second. The records that cards depend on for good are forced at once: see ``forced``.

The thread also looks whether the file is still there as it was written. A file that was deleted, replaced, cut or
altered during play is like a disk that refuses: tables wait until the host has put it back, or has asked for a new one.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path

import structlog
import trio

from dealer.errors import JournalError, LostRecordsError
from dealer.journal.batches import pack_batch, pack_forced
from dealer.journal.file import AppendFile
from dealer.journal.records import Record, pack_record
from dealer.settings import Sync

log = structlog.get_logger()

#: Takes records once they are saved, in their order. It must neither wait nor raise.
Listener = Callable[[Sequence[Record]], None]

#: Seconds between two forces, and between two looks at the file. A refused record is tried again as often.
FORCE_SECONDS = 0.5

#: Seconds of play that a power cut takes at most: when a record has waited for the disk for so long, all tables wait.
BEHIND_SECONDS = 1.0


class Journal:
    """Records of a tournament on their way to its file. Use ``open_journal``; ``Journal(None)`` keeps nothing.

    Args:
        file: where records go; None keeps nothing.
        tell_host: called with a sentence when the disk refuses records, and when it takes them again.
        limit: bytes from which the journal is ``outgrown``.
        sync: from when on others may hear of a record.

    Attributes:
        trouble: why the disk refuses records now, or what has become of the file, in words; None while all is well.
        lost: whether the file was deleted, replaced, cut or altered; a new one can be begun then.
        begins_anew: whether a new file was asked for in place of a lost one, and is not written yet.
    """

    def __init__(
        self,
        file: AppendFile | None,
        tell_host: Callable[[str], None] = lambda _: None,
        limit: float = inf,
        sync: Sync = "second",
    ) -> None:
        self.trouble: str | None = None
        self.lost = False
        self.begins_anew = False
        self._file = file
        self._path = self.path
        self._tell_host = tell_host
        self._limit = limit
        self._sync = sync
        self._listeners: list[Listener] = []
        self._untold: list[Record] = []
        self._packed: list[bytes] = []  # records that were not handed to the file
        # How many records there are, and of those the first that were handed to the file, saved and forced.
        self._recorded = self._handed = self._saved = self._forced = 0
        self._handed_untold: list[Record] = []
        self._refused: bytes | None = None  # the head of the journal with a batch that the system did not take
        self._oldest = inf  # the trio time of the oldest record that is not forced
        self._marked = 0
        self._wanted = trio.Event()
        self._went_on = trio.Event()
        self._thread = trio.CapacityLimiter(1)
        self._no_new_file: str | None = None

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
        """Bytes that are written; 0 where nothing is kept."""
        return 0 if self._file is None else self._file.size

    @property
    def head(self) -> bytes | None:
        """The head of the chain of all batches that are written; None where nothing is kept."""
        return None if self._file is None else self._file.head

    @property
    def waiting_bytes(self) -> int:
        """Bytes that are not on the disk yet."""
        return 0 if self._file is None else self._file.unforced + sum(map(len, self._packed))

    @property
    def lag(self) -> float:
        """Seconds since the oldest record that is not on the disk yet was made; 0 without one."""
        return 0.0 if self._oldest == inf else trio.current_time() - self._oldest

    @property
    def holds_up_deals(self) -> bool:
        """Whether tables must wait for ``saved`` before they deal: what they deal may follow from a new record."""
        return self._file is not None and (self._saved < self._recorded or self._stands)

    @property
    def _stands(self) -> bool:
        """Whether all tables wait: there is trouble, or more would be lost in a power cut than is promised."""
        return self.trouble is not None or self.lag > BEHIND_SECONDS

    @property
    def is_read(self) -> bool:
        """Whether records go anywhere; if not, they need not even be made."""
        return self._file is not None or bool(self._listeners)

    def tell(self, listener: Listener) -> None:
        """From now on tell ``listener`` every record once it is saved, before those who wait for it go on."""
        self._listeners.append(listener)

    def record(self, record: Record) -> None:
        """Take one record. Those that are taken without a wait between them are written together, or not at all."""
        if self._listeners:
            self._untold.append(record)
        if self._file is not None:
            self._packed.append(pack_record(record))
            if self._oldest == inf:
                self._oldest = trio.current_time()
        self._recorded += 1

    async def saved(self) -> None:
        """Write all that was recorded; wait if the disk refuses it, or is behind, however long that takes."""
        recorded = self._recorded
        self._write()
        while self._saved < recorded or self._stands:
            await self._wait_for_thread()

    async def forced(self) -> None:
        """Wait until all that was recorded is on the disk.

        Asked for what must not be lost even in a power cut: the start and each resumption, on which depends how decks
        are shuffled, and the end, after which the seed is shown.
        """
        recorded = self._recorded
        await self.saved()
        while self.kept and self._forced < recorded:
            await self._wait_for_thread()

    async def _wait_for_thread(self) -> None:
        if self.trouble is None:  # in trouble it comes by itself, and not more often
            self._wanted.set()
        await self._went_on.wait()

    def begin_anew(self) -> None:
        """Write a new file with all records so far, if the journal was lost during play; see ``trouble``."""
        self.begins_anew = self._file is not None
        self._wanted.set()

    def _write(self) -> None:
        """Hand all records that wait to the system, unless there is trouble; then they wait until it is over."""
        file, handed = self._file, self._recorded
        if file is None:
            self._hand_over(handed)
            self._settle(handed, len(self._handed_untold))
        elif self._packed and self.trouble is None and self._refused is None:
            packed, self._packed = self._packed, []
            if file.forced > self._marked:
                packed.insert(0, pack_forced(file.forced))
                self._marked = file.forced
            data, head = pack_batch(b"".join(packed), file.head)
            self._hand_over(handed)
            try:
                file.append(data)
            except OSError:
                self._refused = head
                self._wanted.set()  # the thread tries again, and says what is wrong
            else:
                file.head = head
                if self._sync == "second":
                    self._settle(handed, len(self._handed_untold))

    def _hand_over(self, recorded: int) -> None:
        """Count records as handed to the file; listeners hear of them when they are saved."""
        self._handed = recorded
        self._handed_untold += self._untold
        self._untold.clear()

    def _settle(self, saved: int, untold: int) -> None:
        """Count records as saved, and tell listeners the first ``untold`` of those that they have not heard."""
        self._saved = saved
        told, self._handed_untold = self._handed_untold[:untold], self._handed_untold[untold:]
        for listener in self._listeners if told else ():
            listener(told)

    async def _serve(self, closing: trio.CancelScope) -> None:
        """Force the file every ``FORCE_SECONDS`` and when somebody waits for it, until ``closing`` is cancelled."""
        with closing:
            while True:
                with trio.move_on_after(FORCE_SECONDS):
                    await self._wanted.wait()
                self._wanted = trio.Event()
                await self._force()

    async def _force(self) -> None:
        """Have the thread look at the file and force it. Tell the host about trouble, and those who wait to go on."""
        assert self._file is not None
        self._write()
        began, handed, untold, refused = trio.current_time(), self._handed, len(self._handed_untold), self._refused
        again, anew = refused is not None or self.trouble is not None, self.begins_anew
        why, lost = await trio.to_thread.run_sync(self._attempt, self._file, again, anew, limiter=self._thread)
        if anew:
            self.begins_anew = False
        if why is None:
            self._forced = handed
            self._oldest = began if self._file.unforced or self._packed else inf
            if refused is not None:
                self._refused, self._file.head = None, refused
            if refused is not None or self._sync == "hand":
                self._settle(handed, untold)
        self._note(why, lost, asked=anew)
        self._write()
        self._went_on.set()
        self._went_on = trio.Event()

    def _attempt(self, file: AppendFile, again: bool, anew: bool) -> tuple[str | None, bool]:
        """Why the file cannot be forced, or None if it is, and whether it is lost. Runs in the thread."""
        lost = file.loss()
        if lost is not None and anew:
            self._no_new_file = _begun_anew(file)
            lost = lost if self._no_new_file else None
        if lost is not None:
            return f"{lost}, and {self._no_new_file}" if self._no_new_file else lost, True
        try:
            if again:
                file.write_again()
            if file.unforced:
                file.force()
        except OSError as error:
            return f"cannot be written ({error.strerror or error})", False
        return None, False

    def _note(self, why: str | None, lost: bool, *, asked: bool) -> None:
        """Tell the host that there is trouble, or that there is none any more; each only once.

        Args:
            why: the file cannot be written; None if it can.
            lost: whether it is not there as it was written. A disk that refuses records loses nothing.
            asked: whether the host has just asked for a new file.
        """
        before, self.trouble, self.lost = self.trouble, why and f"the journal {why}", lost
        if self.trouble is None:
            if before is not None:
                log.warning("journal accepted again", path=str(self.path))
                renamed = "" if self.path == self._path else f" It is now {self.path}."
                self._path = self.path
                self._tell_host(f"The journal can be written again; play goes on.{renamed}")
        elif before is None:
            log.error("journal refused", path=str(self.path), reason=why)
            remedy = (
                f"put {self.path} back as it was, or have a new one written with all so far: press Ctrl-C at "
                "the dealer's terminal and answer n, or use `casino desk ADDRESS journal`"
                if lost
                else f"make room for {self.path}, and play goes on by itself"
            )
            self._tell_host(f"No more hands for now: {self.trouble}. Everybody keeps seat and chips; {remedy}.")
        elif self.trouble != before or asked:
            self._tell_host(f"Still no more hands: {self.trouble}.")

    async def _close(self) -> None:
        """Force the last records, as far as the disk takes them, and close the file."""
        assert self._file is not None
        with trio.CancelScope(shield=True):
            while self._unforced:
                await self._force()
                if self.trouble is not None:
                    break
        self._file.close()

    @property
    def _unforced(self) -> bool:
        return self._forced < self._recorded

    def _loss(self) -> str:
        """What became of the tournament with records that are lost."""
        if not self.size:
            return f"{self.trouble}, not even the start, so there is nothing to play on"
        if self.lost:
            return f"{self.trouble}; only the file as it was before can be played on"
        return f"{self.trouble}; all before them is there and counts"


def _begun_anew(file: AppendFile) -> str | None:
    """Why no new file could be written; None if it is there."""
    try:
        file.begin_anew()
    except OSError as error:
        return f"cannot be written to a new file ({error.strerror or error})"
    except JournalError as error:
        return f"cannot be written to a new file ({error})"
    return None


@asynccontextmanager
async def open_journal(
    file: AppendFile | None,
    tell_host: Callable[[str], None] = lambda _: None,
    limit: float = inf,
    sync: Sync = "second",
) -> AsyncIterator[Journal]:
    """A journal whose thread and file end with the block; see ``Journal`` for the arguments.

    Raises:
        LostRecordsError: at the end of the block, if the disk never took the last records.
    """
    journal = Journal(file, tell_host, limit, sync)
    if file is None:
        yield journal
        return
    try:
        async with trio.open_nursery() as nursery:
            closing = trio.CancelScope(shield=True)  # those who are shielded in the block may wait for their records
            nursery.start_soon(journal._serve, closing)
            try:
                yield journal
            finally:
                closing.cancel()
    finally:
        await journal._close()
    if journal._unforced:
        raise LostRecordsError(f"the last records could not be written to {file.path}: {journal._loss()}")
