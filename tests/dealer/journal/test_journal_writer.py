"""Records reach the disk before anybody goes on, many at once, and however long the disk refuses them."""

import errno
import queue
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from dealer.errors import JournalError
from dealer.journal import disk_thread
from dealer.journal.batches import GATHER_SECONDS
from dealer.journal.file import AppendFile
from dealer.journal.records import read_journal
from dealer.journal.writer import Journal, open_journal
from tests.patience import PATIENCE

FULL = OSError(errno.ENOSPC, "No space left on device")


class SlowFile(AppendFile):
    """A real file whose disk answers when the test says so.

    Attributes:
        tried: batches that the disk was given, in order.
        closed: whether it was closed.
    """

    def __init__(self, path: Path, descriptor: int, *, new: bool) -> None:
        super().__init__(path, descriptor, new=new)
        self.tried: list[bytes] = []
        self.closed = False
        self._answers: queue.SimpleQueue[OSError | None] = queue.SimpleQueue()
        self._broken: OSError | None = None
        self._token = trio.lowlevel.current_trio_token()
        self._asked = trio.Event()

    def append(self, data: bytes) -> None:
        """What the thread calls."""
        self._token.run_sync_soon(self._note, data)
        if error := self._broken or self._answers.get():
            raise error
        super().append(data)

    def _note(self, data: bytes) -> None:
        self.tried.append(data)
        self._asked.set()

    async def asked(self, times: int) -> bytes:
        """Wait until the disk was given a batch so often; the last one."""
        while len(self.tried) < times:
            self._asked = trio.Event()
            await self._asked.wait()
        assert len(self.tried) == times
        return self.tried[-1]

    def answer(self, *answers: OSError | None) -> None:
        """What the next writes come to."""
        for answer in answers:
            self._answers.put(answer)

    def break_down(self) -> None:
        """From now on every write is refused."""
        self._broken = FULL
        self._answers.put(FULL)

    def close(self) -> None:
        """See ``AppendFile``."""
        self.closed = True
        super().close()


class Waiter:
    """A table that has recorded something, and waits until it may tell."""

    def __init__(self, journal: Journal, name: str) -> None:
        self.saved = trio.Event()
        self._journal = journal
        self._name = name

    async def run(self) -> None:
        """Record, and wait."""
        self._journal.record("hand", name=self._name)
        await self._journal.saved()
        self.saved.set()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.journal"


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk of these tests takes its time itself."""
    monkeypatch.setattr(disk_thread, "RETRY_SECONDS", 0)


@pytest.fixture
def said() -> list[str]:
    """What the host was told."""
    return []


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk counts as quick, however busy the machine is, and the file as looked at from the first write on."""
    monkeypatch.setattr(disk_thread, "QUICK_SECONDS", PATIENCE)
    monkeypatch.setattr(disk_thread, "LOOK_SECONDS", PATIENCE)


@asynccontextmanager
async def open_slow(path: Path, said: list[str]) -> AsyncIterator[tuple[Journal, SlowFile, trio.Nursery]]:
    """A journal on a slow disk, and a nursery for those who wait for it."""
    file = SlowFile.create(path)
    with trio.fail_after(PATIENCE), pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk_thread, "QUICK_SECONDS", -1.0)  # else trio's own thread would wait for an answer
        async with open_journal(file, said.append) as journal:
            try:
                async with trio.open_nursery() as nursery:
                    yield journal, file, nursery
            except BaseException:
                file.break_down()  # or its thread, and so the journal, would wait for an answer for ever
                raise
    assert file.closed


def names(path: Path) -> list[str]:
    """What is on the disk."""
    return [record["name"] for record in read_journal(path)]


async def test_a_record_is_on_the_disk_before_anybody_goes_on(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, nursery):
        table = Waiter(journal, "a")
        nursery.start_soon(table.run)
        await file.asked(1)
        await wait_all_tasks_blocked()
        assert not table.saved.is_set()
        assert names(path) == []
        file.answer(None)
        await table.saved.wait()
        assert names(path) == ["a"]
    assert said == []


class WatchedFile(AppendFile):
    """A real file that notes by which threads it is written."""

    def __init__(self, path: Path, descriptor: int, *, new: bool) -> None:
        super().__init__(path, descriptor, new=new)
        self.threads: list[str] = []
        self.refuses = False

    def append(self, data: bytes) -> None:
        """What either thread calls."""
        in_trio = threading.current_thread() is threading.main_thread()
        self.threads.append("trio's" if in_trio else "disk's")
        if self.refuses and in_trio:
            raise FULL
        super().append(data)


@asynccontextmanager
async def open_watched(path: Path, said: list[str]) -> AsyncIterator[tuple[Journal, WatchedFile]]:
    """A journal to which a first record was written, by the thread of the disk."""
    file = WatchedFile.create(path)
    with trio.fail_after(PATIENCE):
        async with open_journal(file, said.append) as journal:
            journal.record("start", name="first")
            await journal.saved()
            yield journal, file


@pytest.mark.usefixtures("quick_disk")
async def test_batch_that_all_tables_wait_for_is_written_at_once(path: Path, said: list[str]) -> None:
    async with open_watched(path, said) as (journal, file):
        told: list[str] = []
        journal.tell(lambda records: told.extend(str(record["name"]) for record in records))
        with journal.table_playing():
            for name in "ab":
                journal.record("hand", name=name)
                await journal.saved()
            assert names(path) == ["first", "a", "b"]
            assert journal.head == file.head
            assert journal.lag == journal.waiting_bytes == 0
        assert told == ["a", "b"]
    assert file.threads == ["disk's", "trio's", "trio's"]


@pytest.mark.usefixtures("quick_disk")
async def test_batch_leaves_for_the_thread_while_another_table_plays(path: Path, said: list[str]) -> None:
    async with open_watched(path, said) as (journal, file):
        with journal.table_playing(), journal.table_playing():
            journal.record("hand", name="a")
            await journal.saved()
        journal.record("hand", name="b")
        await journal.saved()
    assert file.threads == ["disk's", "disk's", "trio's"]


@pytest.mark.usefixtures("quick_disk")
@pytest.mark.parametrize("name", ["QUICK_SECONDS", "LOOK_SECONDS"])
async def test_thread_writes_to_a_slow_disk_and_looks_at_the_file(
    path: Path, said: list[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_thread, name, -1.0 if name == "QUICK_SECONDS" else 0.0)
    async with open_watched(path, said) as (journal, file):
        journal.record("hand", name="a")
        await journal.saved()
    assert file.threads == ["disk's", "disk's"]


@pytest.mark.usefixtures("quick_disk")
async def test_thread_tries_again_and_tells_when_the_disk_refuses(path: Path, said: list[str]) -> None:
    async with open_watched(path, said) as (journal, file):
        file.refuses = True
        journal.record("hand", name="a")
        await journal.saved()
        assert names(path) == ["first", "a"]
    assert file.threads == ["disk's", "trio's", "disk's"]
    assert said == []


async def test_nothing_to_save_asks_no_disk(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, _):
        await journal.saved()
        assert file.tried == []
    assert not path.exists()


async def test_records_during_a_write_form_the_next_batch(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, nursery):
        first, *others = [Waiter(journal, name) for name in "abcd"]
        nursery.start_soon(first.run)
        await file.asked(1)
        for table in others:
            nursery.start_soon(table.run)
            await wait_all_tasks_blocked()  # so that the order is known
        file.answer(None)
        await first.saved.wait()
        await file.asked(2)
        assert not any(table.saved.is_set() for table in others)
        assert names(path) == ["a"]
        file.answer(None)
        for table in others:
            await table.saved.wait()
        assert names(path) == list("abcd")
    assert len(file.tried) == 2


async def test_saved_waits_for_records_of_others(path: Path, said: list[str]) -> None:
    """``saved`` means everything so far, a record that its own task made before others' included."""
    async with open_slow(path, said) as (journal, file, nursery):
        nursery.start_soon(Waiter(journal, "a").run)
        await file.asked(1)
        journal.record("hand", name="b")
        late = trio.Event()

        async def wait() -> None:
            await journal.saved()
            late.set()

        nursery.start_soon(wait)
        file.answer(None)
        await file.asked(2)
        await wait_all_tasks_blocked()
        assert not late.is_set()
        file.answer(None)
        await late.wait()
        assert names(path) == ["a", "b"]


async def test_what_nobody_waited_for_is_written_at_the_end(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, _):
        journal.record("hand", name="a")
        journal.record("hand", name="b")
        await wait_all_tasks_blocked()
        assert file.tried == []
        file.answer(None)
    assert names(path) == ["a", "b"]


async def test_what_gathers_during_the_last_batch_is_written_too(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, nursery):
        table = Waiter(journal, "a")
        nursery.start_soon(table.run)
        await file.asked(1)
        journal.record("hand", name="b")
        nursery.cancel_scope.cancel()
        file.answer(None, None)
    assert names(path) == ["a", "b"]


async def test_a_refused_batch_is_tried_again_until_it_is_taken(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, nursery):
        table, other = Waiter(journal, "a"), Waiter(journal, "b")
        nursery.start_soon(table.run)
        file.answer(FULL, FULL, FULL)
        await file.asked(4)
        nursery.start_soon(other.run)
        await wait_all_tasks_blocked()
        assert not table.saved.is_set()
        assert not other.saved.is_set()
        assert journal.trouble == "the journal cannot be written (No space left on device)"
        assert len(set(file.tried)) == 1
        (told,) = said
        assert "No more hands for now: the journal cannot be written (No space left on device)" in told
        assert str(path) in told
        file.answer(None, None)
        await other.saved.wait()
        assert table.saved.is_set()
        assert journal.trouble is None
        assert said[1:] == ["The journal can be written again; play goes on."]
        assert names(path) == ["a", "b"]


async def test_a_disk_that_refuses_once_more_is_told_once_more(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, nursery):
        for name in "ab":
            table = Waiter(journal, name)
            nursery.start_soon(table.run)
            file.answer(FULL, None)
            await table.saved.wait()
    assert len(said) == 4
    assert names(path) == ["a", "b"]


async def end_in_trouble(path: Path, said: list[str]) -> None:
    """Interrupted twice while the disk refuses: what waits is cancelled, and the journal is closed."""
    async with open_slow(path, said) as (journal, file, nursery):
        nursery.start_soon(Waiter(journal, "kept").run)
        file.answer(None)
        await file.asked(1)
        nursery.start_soon(Waiter(journal, "lost").run)
        await file.asked(2)
        file.answer(FULL, FULL)
        await file.asked(4)
        nursery.cancel_scope.cancel()
        file.break_down()


async def test_an_end_in_trouble_says_what_is_missing(path: Path, said: list[str]) -> None:
    with pytest.raises(JournalError, match=r"the last records could not be written to .*a\.journal: .*\(No space left"):
        await end_in_trouble(path, said)
    assert names(path) == ["kept"]


async def test_trouble_that_is_over_by_the_end_is_no_error(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, nursery):
        nursery.start_soon(Waiter(journal, "a").run)
        file.answer(FULL)
        await file.asked(2)
        nursery.cancel_scope.cancel()
        file.answer(None)
    assert names(path) == ["a"]


async def end_with_a_record_nobody_waits_for(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, _):
        journal.record("hand", name="a")
        file.break_down()


async def test_records_that_were_never_handed_over_are_missed_too(path: Path, said: list[str]) -> None:
    with pytest.raises(JournalError, match="the last records could not be written"):
        await end_with_a_record_nobody_waits_for(path, said)
    assert not path.exists()


async def test_cancelled_waiter_ends_though_the_disk_fails(path: Path, said: list[str]) -> None:
    """A cancelled block waits for the write under way, for nothing else, and raises nothing of its own."""
    file = SlowFile.create(path)
    with trio.move_on_after(PATIENCE) as scope:
        async with open_journal(file, said.append) as journal, trio.open_nursery() as nursery:
            nursery.start_soon(Waiter(journal, "a").run)
            await file.asked(1)
            scope.cancel()
            file.break_down()
    assert scope.cancelled_caught
    assert file.closed


async def test_error_in_the_block_is_not_hidden_by_lost_records(path: Path, said: list[str]) -> None:
    with pytest.RaisesGroup(pytest.RaisesGroup(ZeroDivisionError)):
        async with open_slow(path, said) as (journal, file, nursery):
            nursery.start_soon(Waiter(journal, "a").run)
            await file.asked(1)
            file.break_down()
            raise ZeroDivisionError


async def test_without_a_file_nothing_is_kept_and_nobody_waits(said: list[str]) -> None:
    async with open_journal(None, said.append) as journal:
        journal.record("hand", name="a")
        await journal.saved()
        assert not journal.outgrown
        assert journal.trouble is None
    await Journal(None).saved()


async def test_limit_is_reached_when_the_file_has_as_many_bytes(path: Path) -> None:
    async with open_journal(AppendFile.create(path)) as journal:
        journal.record("hand", name="a")
        await journal.saved()
        assert not journal.outgrown
    size = path.stat().st_size
    for limit, outgrown in [(size, True), (size + 1, False)]:
        async with open_journal(AppendFile.reopen(path), limit=limit) as journal:
            assert journal.outgrown is outgrown


async def test_copy_made_after_saved_is_complete(path: Path, tmp_path: Path) -> None:
    async with open_journal(AppendFile.create(path)) as journal:
        for number in range(20):
            journal.record("hand", name=str(number))
            await journal.saved()
            copy = shutil.copyfile(path, tmp_path / "copy")
            assert names(copy) == [str(n) for n in range(number + 1)]


async def test_listeners_hear_a_saved_batch_before_waiters(path: Path, said: list[str]) -> None:
    async with open_slow(path, said) as (journal, file, nursery):
        told: list[tuple[list[str], bool]] = []
        table, late = Waiter(journal, "a"), Waiter(journal, "b")
        journal.record("hand", name="before")
        journal.tell(lambda records: told.append(([str(record["name"]) for record in records], table.saved.is_set())))
        nursery.start_soon(table.run)
        await file.asked(1)
        nursery.start_soon(late.run)
        await wait_all_tasks_blocked()
        assert told == []
        file.answer(FULL, None)
        await table.saved.wait()
        assert told == [(["a"], False)]
        file.answer(None)
        await late.saved.wait()
        assert told == [(["a"], False), (["b"], True)]
        assert names(path) == ["before", "a", "b"]


async def test_listeners_hear_records_without_a_file() -> None:
    journal = Journal(None)
    told: list[list[str]] = []
    assert not journal.is_read
    journal.tell(lambda records: told.append([str(record["name"]) for record in records]))
    assert journal.is_read
    journal.record("hand", name="a")
    journal.record("hand", name="b")
    assert told == []
    await journal.saved()
    await journal.saved()
    assert told == [["a", "b"]]


async def seconds_to_save(path: Path, tables: int, waiting: int) -> float:
    """How long a table waits for its record while others play, some of which deal no hand."""
    async with open_journal(AppendFile.create(path)) as journal:
        with ExitStack() as stack:
            for _ in range(tables):
                stack.enter_context(journal.table_playing())
            for _ in range(waiting):
                stack.enter_context(journal.table_waiting())
            began = trio.current_time()
            journal.record("hand", name="a")
            await journal.saved()
            return trio.current_time() - began


@pytest.mark.parametrize(("tables", "waiting"), [(0, 0), (1, 0), (3, 2)])
async def test_a_lone_table_does_not_wait_for_others(
    tables: int, waiting: int, path: Path, autojump_clock: MockClock
) -> None:
    """The clock stands still as long as nobody sleeps."""
    assert await seconds_to_save(path, tables, waiting) == 0


async def test_one_of_two_tables_waits_a_moment_for_the_other(path: Path, autojump_clock: MockClock) -> None:
    assert await seconds_to_save(path, 2, 0) == pytest.approx(GATHER_SECONDS)


async def test_the_lag_is_that_of_the_oldest_record_not_on_the_disk(
    path: Path, said: list[str], autojump_clock: MockClock
) -> None:
    file = AppendFile.create(path)
    async with open_journal(file, said.append) as journal:
        assert (journal.lag, journal.waiting_bytes, journal.size) == (0, 0, 0)
        journal.record("hand", name="a")
        await trio.sleep(2)
        waiting = journal.waiting_bytes
        journal.record("hand", name="b")
        await trio.sleep(1)
        assert journal.lag == pytest.approx(3)
        assert journal.waiting_bytes == 2 * waiting
        await journal.saved()
        assert (journal.lag, journal.waiting_bytes) == (0, 0)
        assert journal.size == len(path.read_bytes().rstrip(b"\0"))
