"""Records are written before anybody goes on, and forced to the disk soon, however long the disk refuses them."""

import errno
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from dealer.errors import JournalError
from dealer.journal import writer
from dealer.journal.batches import read_batches
from dealer.journal.file import AppendFile
from dealer.journal.writer import BEHIND_SECONDS, Journal, open_journal
from dealer.settings import Sync
from tests.dealer.support.raw_records import name_of, named, read_raw
from tests.patience import PATIENCE

FULL = OSError(errno.ENOSPC, "No space left on device")
BROKEN = OSError(errno.EIO, "Input/output error")
WHY = "the journal cannot be written (No space left on device)"


class TestFile(AppendFile):
    """A real file whose disk does what the test says.

    Attributes:
        full: whether it takes no more bytes.
        broken: whether it cannot be forced.
        may_force: while it is clear, a force takes as long.
        forces: how many were asked for.
        closed: whether it was closed.
    """

    __test__ = False

    def __init__(self, path: Path, descriptor: int, *, new: bool) -> None:
        super().__init__(path, descriptor, new=new)
        self.full = self.broken = self.closed = False
        self.may_force = threading.Event()
        self.may_force.set()
        self.forces = 0

    def _write(self, data: bytes) -> None:
        if self.full:
            raise FULL
        super()._write(data)

    def force(self) -> None:
        self.forces += 1
        assert self.may_force.wait(PATIENCE)
        if self.broken:
            raise BROKEN
        super().force()

    def close(self) -> None:
        self.closed = True
        super().close()


class Waiter:
    """A table that has recorded something, and waits until it may tell."""

    def __init__(self, journal: Journal, name: str) -> None:
        self.saved = trio.Event()
        self._journal = journal
        self._name = name

    async def run(self) -> None:
        await save(self._journal, self._name)
        self.saved.set()


async def save(journal: Journal, name: str) -> None:
    journal.record(named(name))
    await journal.saved()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.journal"


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is forced all the time."""
    monkeypatch.setattr(writer, "FORCE_SECONDS", 0.001)


@pytest.fixture
def rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is forced only for those who wait for that."""
    monkeypatch.setattr(writer, "FORCE_SECONDS", PATIENCE)
    monkeypatch.setattr(writer, "BEHIND_SECONDS", PATIENCE)


@asynccontextmanager
async def open_test(
    path: Path, said: list[str], sync: Sync = "second"
) -> AsyncIterator[tuple[Journal, TestFile, trio.Nursery]]:
    """A journal on a disk of the test, and a nursery for those who wait for it."""
    file = TestFile.create(path)
    with trio.fail_after(PATIENCE):
        async with open_journal(file, said.append, sync=sync) as journal:
            try:
                async with trio.open_nursery() as nursery:
                    yield journal, file, nursery
            finally:
                file.may_force.set()  # or the journal would wait for it for ever
    assert file.closed


async def forced_anew(file: TestFile) -> None:
    """Wait until another force is asked for."""
    before = file.forces
    while file.forces == before:
        await trio.sleep(0.001)


def names(path: Path) -> list[str]:
    return [record["reason"] for record in read_raw(path)]


def batches(path: Path) -> list[list[str]]:
    return [[name_of(record) for record in batch.records] for batch in read_batches(path)]


@pytest.mark.usefixtures("rarely")
async def test_a_record_is_written_before_anybody_goes_on(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, file, _):
        for name in "ab":
            await save(journal, name)
            assert names(path) == list("ab"[: "ab".index(name) + 1])
        assert (file.forces, file.forced, journal.size) == (0, 0, path.stat().st_size)
        assert journal.head == file.head
    assert said == []


@pytest.mark.usefixtures("rarely")
async def test_records_without_a_wait_between_them_are_one_batch(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, _, _):
        journal.record(named("a"))
        await save(journal, "b")
        await save(journal, "c")
    assert batches(path) == [["a", "b"], ["c"]]


@pytest.mark.usefixtures("rarely")
async def test_whoever_asks_for_it_waits_for_the_disk(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, file, nursery):
        forced = trio.Event()

        async def wait() -> None:
            journal.record(named("a"))
            await journal.forced()
            forced.set()

        file.may_force.clear()
        nursery.start_soon(wait)
        await forced_anew(file)
        await save(journal, "b")
        await wait_all_tasks_blocked()
        assert not forced.is_set()
        file.may_force.set()
        await forced.wait()
        await journal.forced()
        assert file.forced == file.size == path.stat().st_size


@pytest.mark.usefixtures("no_pause")
async def test_what_nobody_waits_for_is_written_and_forced_soon(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, file, _):
        journal.record(named("a"))
        while not file.forced:
            await trio.sleep(0.001)
        assert names(path) == ["a"]
        while journal.lag:
            await trio.sleep(0.001)
        assert (journal.waiting_bytes, journal.size) == (0, file.forced)


@pytest.mark.usefixtures("rarely")
async def test_what_nobody_waited_for_is_forced_at_the_end(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, file, _):
        await save(journal, "a")
        journal.record(named("b"))
    assert names(path) == ["a", "b"]
    assert file.forced == path.stat().st_size


async def test_nothing_to_save_asks_no_disk(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, file, _):
        await journal.saved()
        await journal.forced()
        assert not journal.holds_up_deals
    assert file.forces == 0
    assert not path.exists()


@pytest.mark.usefixtures("rarely")
async def test_each_hand_waits_for_the_disk_if_the_host_wants_that(path: Path, said: list[str]) -> None:
    async with open_test(path, said, "hand") as (journal, file, nursery):
        told: list[str] = []
        journal.tell(lambda records: told.extend(name_of(record) for record in records))
        first, second = Waiter(journal, "a"), Waiter(journal, "b")
        file.may_force.clear()
        nursery.start_soon(first.run)
        await forced_anew(file)
        nursery.start_soon(second.run)
        await wait_all_tasks_blocked()
        assert names(path) == ["a", "b"]
        assert told == []
        assert not first.saved.is_set()
        assert journal.holds_up_deals
        file.may_force.set()
        await second.saved.wait()
        assert first.saved.is_set()
        assert told == ["a", "b"]
        assert not journal.holds_up_deals


async def test_tables_wait_when_a_force_takes_too_long(path: Path, said: list[str], mock_clock: MockClock) -> None:
    """Else a power cut could take more than a second of play."""
    async with open_test(path, said) as (journal, file, nursery):
        file.may_force.clear()
        await save(journal, "a")
        mock_clock.jump(BEHIND_SECONDS)
        await save(journal, "b")
        mock_clock.jump(0.01)
        late = Waiter(journal, "c")
        nursery.start_soon(late.run)
        await wait_all_tasks_blocked()
        assert journal.holds_up_deals
        assert not late.saved.is_set()
        assert names(path) == list("abc")
        assert journal.trouble is None
        file.may_force.set()
        await late.saved.wait()
        assert not journal.holds_up_deals
    assert said == []


@pytest.mark.usefixtures("rarely")
async def test_the_first_batch_after_a_force_tells_what_is_on_the_disk(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, _, _):
        sizes = []
        for name in "abcd":
            before = journal.size
            await save(journal, name)
            sizes.append(journal.size - before)
            if name == "b":
                await journal.forced()
        assert sizes[0] == sizes[1] == sizes[3] < sizes[2]
        assert b"\xa6forced\xa5bytes" in path.read_bytes()[-sizes[2] - sizes[3] : -sizes[3]]
    assert names(path) == list("abcd")


@pytest.mark.usefixtures("no_pause")
async def test_refused_records_are_tried_again_until_they_are_taken(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, file, nursery):
        await save(journal, "a")
        file.full = True
        table, other = Waiter(journal, "b"), Waiter(journal, "c")
        nursery.start_soon(table.run)
        while journal.trouble is None:
            await trio.sleep(0.001)
        nursery.start_soon(other.run)
        await wait_all_tasks_blocked()
        assert not table.saved.is_set()
        assert not other.saved.is_set()
        assert journal.holds_up_deals
        assert (journal.trouble, journal.lost, names(path)) == (WHY, False, ["a"])
        (told,) = said
        assert f"No more hands for now: {WHY}" in told
        assert str(path) in told
        file.full = False
        await other.saved.wait()
        assert table.saved.is_set()
        assert journal.trouble is None
        assert said[1:] == ["The journal can be written again; play goes on."]
        assert journal.head == [batch.head for batch in read_batches(path)][-1]
    assert names(path) == ["a", "b", "c"]


@pytest.mark.usefixtures("no_pause")
async def test_tables_wait_while_the_file_cannot_be_forced(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, file, nursery):
        file.broken = True
        await save(journal, "a")
        while journal.trouble is None:
            await trio.sleep(0.001)
        assert journal.trouble == "the journal cannot be written (Input/output error)"
        table = Waiter(journal, "b")
        nursery.start_soon(table.run)
        await forced_anew(file)
        assert not table.saved.is_set()
        file.broken = False
        await table.saved.wait()
    assert len(said) == 2
    assert names(path) == ["a", "b"]


@pytest.mark.usefixtures("no_pause")
async def test_a_disk_that_refuses_once_more_is_told_once_more(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, file, nursery):
        for name in "ab":
            file.full = True
            table = Waiter(journal, name)
            nursery.start_soon(table.run)
            while journal.trouble is None:
                await trio.sleep(0.001)
            file.full = False
            await table.saved.wait()
    assert len(said) == 4
    assert names(path) == ["a", "b"]


@pytest.mark.usefixtures("rarely")
@pytest.mark.parametrize("over", [False, True])
async def test_an_end_in_trouble_says_what_is_missing_unless_trouble_is_over(
    over: bool, path: Path, said: list[str]
) -> None:
    """Interrupted twice while the disk refuses: what waits is cancelled, and the journal is closed."""
    missing = pytest.raises(
        JournalError, match=r"the last records could not be written to .*a\.journal: .*\(No space left"
    )
    with nullcontext() if over else missing:
        async with open_test(path, said) as (journal, file, nursery):
            await save(journal, "kept")
            file.full = True
            nursery.start_soon(Waiter(journal, "last").run)
            while journal.trouble is None:
                await trio.sleep(0.001)
            nursery.cancel_scope.cancel()
            file.full = not over
    assert names(path) == (["kept", "last"] if over else ["kept"])


@pytest.mark.usefixtures("rarely")
@pytest.mark.parametrize("broken", [False, True])
async def test_records_that_were_never_handed_over_are_missed_but_hide_no_error(
    broken: bool, path: Path, said: list[str]
) -> None:
    missing = pytest.raises(JournalError, match="the last records could not be written")
    with pytest.RaisesGroup(pytest.RaisesGroup(ZeroDivisionError)) if broken else missing:
        async with open_test(path, said) as (journal, file, _):
            journal.record(named("a"))
            file.full = True
            if broken:
                raise ZeroDivisionError
    assert not path.exists()


@pytest.mark.usefixtures("rarely")
async def test_cancelled_waiter_ends_though_the_disk_fails(path: Path, said: list[str]) -> None:
    """A cancelled block waits for the force under way, for nothing else, and raises nothing of its own."""
    file = TestFile.create(path)
    with trio.move_on_after(PATIENCE) as scope:
        async with open_journal(file, said.append, sync="hand") as journal, trio.open_nursery() as nursery:
            file.broken = True
            nursery.start_soon(Waiter(journal, "a").run)
            await forced_anew(file)
            scope.cancel()
    assert scope.cancelled_caught
    assert file.closed


async def test_who_is_shielded_may_wait_for_records_though_all_is_cancelled(path: Path, said: list[str]) -> None:
    async with open_test(path, said, "hand") as (journal, _, nursery):

        async def say_goodbye() -> None:
            try:
                await trio.sleep_forever()
            finally:
                with trio.CancelScope(shield=True):
                    await save(journal, "a")

        nursery.start_soon(say_goodbye)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert names(path) == ["a"]


async def test_without_a_file_nothing_is_kept_and_nobody_waits(said: list[str]) -> None:
    async with open_journal(None, said.append) as journal:
        await save(journal, "a")
        await journal.forced()
        assert not journal.holds_up_deals
        assert not journal.outgrown
        assert journal.trouble is None
    await Journal(None).saved()


async def test_limit_is_reached_when_the_file_has_as_many_bytes(path: Path) -> None:
    async with open_journal(AppendFile.create(path)) as journal:
        await save(journal, "a")
        assert not journal.outgrown
    size = path.stat().st_size
    for limit, outgrown in [(size, True), (size + 1, False)]:
        async with open_journal(AppendFile.reopen(path), limit=limit) as journal:
            assert journal.outgrown is outgrown


async def test_copy_made_after_saved_is_complete(path: Path, tmp_path: Path) -> None:
    async with open_journal(AppendFile.create(path)) as journal:
        for number in range(20):
            await save(journal, str(number))
            copy = shutil.copyfile(path, tmp_path / "copy")
            assert names(copy) == [str(n) for n in range(number + 1)]


@pytest.mark.usefixtures("no_pause")
async def test_listeners_hear_saved_records_before_waiters(path: Path, said: list[str]) -> None:
    async with open_test(path, said) as (journal, file, nursery):
        told: list[tuple[list[str], bool]] = []
        table, late = Waiter(journal, "a"), Waiter(journal, "b")
        await save(journal, "before")
        journal.tell(lambda records: told.append(([name_of(record) for record in records], table.saved.is_set())))
        file.full = True
        nursery.start_soon(table.run)
        while journal.trouble is None:
            await trio.sleep(0.001)
        nursery.start_soon(late.run)
        await wait_all_tasks_blocked()
        assert told == []
        file.full = False
        await late.saved.wait()
        assert told == [(["a"], False), (["b"], False)]
        await save(journal, "c")
        assert told[2:] == [(["c"], True)]
    assert names(path) == ["before", "a", "b", "c"]


async def test_listeners_hear_records_without_a_file() -> None:
    journal = Journal(None)
    told: list[list[str]] = []
    assert not journal.is_read
    journal.tell(lambda records: told.append([name_of(record) for record in records]))
    assert journal.is_read
    journal.record(named("a"))
    journal.record(named("b"))
    assert told == []
    await journal.saved()
    await journal.saved()
    assert told == [["a", "b"]]


async def test_the_lag_is_that_of_the_oldest_record_not_on_the_disk(
    path: Path, said: list[str], mock_clock: MockClock
) -> None:
    async with open_test(path, said) as (journal, file, _):
        assert (journal.lag, journal.waiting_bytes, journal.size) == (0, 0, 0)
        file.may_force.clear()
        journal.record(named("a"))
        mock_clock.jump(0.25)
        waiting = journal.waiting_bytes
        journal.record(named("b"))
        mock_clock.jump(0.5)
        assert journal.lag == pytest.approx(0.75)
        assert journal.waiting_bytes == 2 * waiting
        file.may_force.set()
        await journal.forced()
        assert (journal.lag, journal.waiting_bytes) == (0, 0)
        assert journal.size == path.stat().st_size
