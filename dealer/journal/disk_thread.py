"""The thread that forces batches to the disk, and tries again as long as the disk refuses one.

It also looks whether the file is still there as it was written. A file that was deleted, replaced, cut or altered
during play is like a disk that refuses: tables wait until the host has put it back, or has asked for a new one.

Batches reach the thread through a queue. The thread wakes trio with a byte through a pair of sockets, because trio's
own ``run_sync_soon`` takes more of the processor. For the way to the thread a socket does.

Where all tables wait for a batch, trio's own thread may write it with ``write_now``: to wake the other thread and to be
woken by it takes more of the processor than to write. That is done while the disk is quick. With a slow one the pages,
the desk and logins would stand still as long as it takes.
"""

import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from math import inf
from queue import Empty, SimpleQueue

import structlog
import trio

from dealer.errors import JournalError
from dealer.journal.batches import Batch
from dealer.journal.file import AppendFile
from dealer.journal.records import pack_batch

log = structlog.get_logger()

#: Seconds until a disk that refused a batch is asked again.
RETRY_SECONDS = 1.0

#: Seconds after which the file is looked at again: it may have been deleted, replaced, cut or altered.
LOOK_SECONDS = 0.5

#: Seconds that the last batch may have taken, at most, so that the next one is written without the thread.
QUICK_SECONDS = 0.001

#: How a reason begins when the disk refuses a batch and nothing is lost.
_REFUSED = "cannot be written"


class DiskThread:
    """Writes batches to a file, one after the other. Run ``serve`` in a task of its own.

    Args:
        file: where batches go.
        tell_host: called with a sentence when the disk refuses a batch or the file is lost, and when all is well again.

    Attributes:
        trouble: why the disk refuses a batch now, or what has become of the file, in words; None while all is well.
        lost: whether the file is not there as it was written. A disk that refuses a batch loses nothing.
    """

    def __init__(self, file: AppendFile, tell_host: Callable[[str], None]) -> None:
        self.trouble: str | None = None
        self.lost = False
        self._file = file
        self._tell_host = tell_host
        self._batches: SimpleQueue[Batch | None] = SimpleQueue()
        self._answers: deque[Callable[[], None] | None] = deque()
        self._trio_end, self._thread_end = socket.socketpair()
        self._trio_end.setblocking(False)
        self._closing = threading.Event()
        self._wants_anew = threading.Event()
        self._begins_anew = False
        self._path = file.path
        self._told: str | None = None
        self._next_look = 0.0
        self._file_used = threading.Lock()  # by one of the two threads
        self._last_seconds = inf  # that the last batch took
        self._answers_host = False
        self._no_new_file: str | None = None

    def send(self, batch: Batch) -> None:
        """Hand a batch over to the thread."""
        self._batches.put(batch)

    def write_now(self, batch: Batch) -> bool:
        """Write a batch at once if the disk is quick, all is well, and the file was looked at a moment ago.

        Only while no other batch is with the thread.

        Returns:
            Whether it is on the disk; if not, hand it over to the thread, which says what is wrong.
        """
        if self._last_seconds > QUICK_SECONDS or self._told is not None or time.monotonic() >= self._next_look:
            return False
        if not self._file_used.acquire(blocking=False):  # the thread looks at the file
            return False
        try:
            self._append(batch)
        except OSError:
            return False
        finally:
            self._file_used.release()
        return True

    def close(self) -> None:
        """Let the thread end when all batches are written, or when the disk refuses one."""
        self._closing.set()
        self._batches.put(None)

    def close_sockets(self) -> None:
        """Close the sockets when ``serve`` has ended."""
        self._trio_end.close()
        self._thread_end.close()

    async def serve(self, written: Callable[[Batch], None]) -> None:
        """Write what is handed over until ``close``, even if the task is cancelled.

        Args:
            written: called with every batch that is on the disk.
        """
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._take_answers)
                await trio.to_thread.run_sync(self._run, written)

    async def _take_answers(self) -> None:
        """Call what the thread wants to be called, in its order, until it has ended."""
        while True:
            await trio.lowlevel.wait_readable(self._trio_end)
            for _ in self._trio_end.recv(64):
                answer = self._answers.popleft()
                if answer is None:
                    return
                answer()

    def _answer(self, answer: Callable[[], None] | None) -> None:
        """Have a function called in trio's thread; None tells that there is nothing more to call."""
        self._answers.append(answer)
        self._thread_end.send(b"a")

    def _run(self, written: Callable[[Batch], None]) -> None:
        """The work of the thread."""
        try:
            while True:
                try:
                    batch = self._batches.get(timeout=LOOK_SECONDS)
                except Empty:
                    with self._file_used:
                        why = self._loss()
                    self._tell(why)
                    continue
                if batch is None or not self._write(batch):
                    return
                self._answer(partial(written, batch))
        finally:
            self._answer(None)

    def begin_anew(self) -> None:
        """Write a new file with all records so far, if the journal is lost; ``trouble`` is None when that is done."""
        self._begins_anew = True
        self._wants_anew.set()

    @property
    def begins_anew(self) -> bool:
        """Whether a new file was asked for and is not written yet."""
        return self._begins_anew

    def _write(self, batch: Batch) -> bool:
        """Whether a batch reached the disk before the journal was closed."""
        while (why := self._try(batch)) is not None:
            self._tell(why)
            if self._closing.wait(RETRY_SECONDS):
                return False
        self._tell(None)
        return True

    def _try(self, batch: Batch) -> str | None:
        """Why a batch could not be written; None if it is on the disk."""
        with self._file_used:
            why = self._loss()
            if why is None:
                try:
                    self._append(batch)
                except OSError as error:
                    return f"{_REFUSED} ({error.strerror or error})"
        return why

    def _append(self, batch: Batch) -> None:
        """Put a batch on the disk.

        Raises:
            OSError: it is not there.
        """
        data, head = pack_batch(batch.records, self._file.head)
        began = time.perf_counter()
        self._file.append(data)
        self._last_seconds = time.perf_counter() - began
        self._file.head = head

    def _loss(self) -> str | None:
        """Why the file is not there as it was written; None if it is, or was a moment ago."""
        now = time.monotonic()
        if self._told is None and now < self._next_look:
            return None
        self._next_look = now + LOOK_SECONDS
        why = self._file.loss()
        self._answers_host = self._wants_anew.is_set()
        if self._answers_host:
            self._wants_anew.clear()  # here: the next look may come before the host has heard the answer to this one
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

    def _tell(self, why: str | None) -> None:
        """Tell the host that there is trouble, or that there is none any more; each only once."""
        before, self._told = self._told, why
        if why is None and before is not None:
            self._answer(self._accepted)
        elif why is not None and before is None:
            self._answer(partial(self._refused, why))
        elif why is not None and (why != before or self._answers_host):
            self._answer(partial(self._refused_again, why))
        if self._answers_host:
            self._answers_host = False
            self._answer(self._answered)  # behind the above, so that ``trouble`` is up to date by then

    def _answered(self) -> None:
        self._begins_anew = False

    def _note(self, why: str) -> None:
        self.trouble = f"the journal {why}"
        self.lost = not why.startswith(_REFUSED)

    def _refused(self, why: str) -> None:
        self._note(why)
        log.error("journal refused", path=str(self._file.path), reason=why)
        remedy = (
            f"make room for {self._file.path}, and play goes on by itself"
            if not self.lost
            else f"put {self._file.path} back as it was, or have a new one written with all so far: press Ctrl-C at "
            "the dealer's terminal and answer n, or use `casino desk ADDRESS journal`"
        )
        self._tell_host(f"No more hands for now: {self.trouble}. Everybody keeps seat and chips; {remedy}.")

    def _refused_again(self, why: str) -> None:
        self._note(why)
        self._tell_host(f"Still no more hands: {self.trouble}.")

    def _accepted(self) -> None:
        self.trouble, self.lost = None, False
        log.warning("journal accepted again", path=str(self._file.path))
        self._tell_host(f"The journal can be written again; play goes on.{self._renamed()}")

    def _renamed(self) -> str:
        """A sentence about the new file, if one was begun."""
        before, self._path = self._path, self._file.path
        return "" if before == self._path else f" It is now {self._path}."
