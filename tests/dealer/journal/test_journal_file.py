"""The file of a journal: nobody else's to read or write, and never longer than what is on the disk.

Where a crash has torn its end, what is whole is played on, and the rest is kept.
"""

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count, pairwise, takewhile
from pathlib import Path
from random import Random

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from dealer.cli.options import default_journal
from dealer.errors import JournalError, OptionError
from dealer.journal import file as file_module
from dealer.journal import writer
from dealer.journal.batches import pack_batch, pack_forced
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.settings import Settings
from dealer.tournament.opening import reopen_journal
from protocol.games.stud import StudGame
from tests.bad_bots import replies
from tests.dealer.support.raw_records import pack_raw, read_raw
from tests.dealer.support.rig import SEED, good_clients, play
from tests.patience import PATIENCE

posix = pytest.mark.skipif(os.name != "posix", reason="modes, locks and signals of POSIX")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.journal"


@pytest.fixture
def file(path: Path) -> Iterator[AppendFile]:
    """A new file that holds three bytes."""
    file = AppendFile.create(path)
    file.append(b"abc")
    yield file
    file.close()


class Disk:
    """What the operating system does with the bytes of one file.

    Attributes:
        room: bytes that it still takes; a write that finds less takes those.
        syncs: answers to the next syncs: an error or None, then None for ever.
        steps: what was done, in order.
    """

    def __init__(self) -> None:
        self.room = 1 << 30
        self.syncs: list[OSError | None] = []
        self.steps: list[str] = []
        self._write, self._truncate, self._sync = os.write, os.ftruncate, file_module._sync

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        if self.room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        data = memoryview(data)[: self.room]
        self.room -= len(data)
        self.steps.append(f"write {len(data)}")
        return self._write(descriptor, data)

    def ftruncate(self, descriptor: int, size: int) -> None:
        self.steps.append(f"cut to {size}")
        self._truncate(descriptor, size)

    def sync(self, descriptor: int) -> None:
        self.steps.append("sync")
        if self.syncs and (error := self.syncs.pop(0)):
            raise error
        self._sync(descriptor)


@pytest.fixture
def disk(file: AppendFile, monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr(os, "write", disk.write)
    monkeypatch.setattr(os, "ftruncate", disk.ftruncate)
    monkeypatch.setattr(file_module, "_sync", disk.sync)
    return disk


@posix
def test_journal_is_private_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        file = AppendFile.create(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    file.close()


def test_an_existing_file_is_refused_and_left_alone(path: Path) -> None:
    path.write_bytes(b"other data")
    with pytest.raises(JournalError, match=r"a\.journal exists already; a journal is never overwritten, choose"):
        AppendFile.create(path)
    assert path.read_bytes() == b"other data"


def refusing(code: int, text: str) -> Callable[..., None]:
    """A call of the operating system that fails."""

    def refuse(*_: int) -> None:
        raise OSError(code, text)

    return refuse


@posix
def test_a_link_that_leads_nowhere_is_not_followed(path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere"))
    with pytest.raises(JournalError, match="exists already"):
        AppendFile.create(path)
    assert not path.with_name("elsewhere").exists()


@pytest.mark.parametrize("place", ["no/such/folder/x", "file/x", "x" * 300])
def test_a_place_that_cannot_be_written_is_named(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"cannot write the journal .*x: \w+"):
        AppendFile.create(tmp_path / place)


def test_default_journal_folder_is_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.cli.options.user_data_path", lambda *_args, **_flags: tmp_path / "deep" / "down")
    path = default_journal("stud")
    AppendFile.create(path).close()
    path.write_bytes(b"x")
    assert path.is_relative_to(tmp_path / "deep" / "down" / "journals")
    assert default_journal("stud") != path


def test_a_folder_that_cannot_be_made_says_what_to_do_instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("dealer.cli.options.user_data_path", lambda *_args, **_flags: tmp_path / "file")
    with pytest.raises(OptionError, match=r"cannot use the folder .*journals .*--journal, or .*--no-journal"):
        default_journal("stud")


@posix
def test_empty_file_is_reused_but_a_device_is_not(path: Path) -> None:
    path.touch(0o644)
    file = AppendFile.create(path)
    file.append(b"abc")
    file.close()
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"abc", 0o600)
    with pytest.raises(JournalError, match="exists already"):
        AppendFile.create(path)
    with pytest.raises(JournalError, match="exists already"):
        AppendFile.create(Path(os.devnull))


@posix
def test_a_folder_that_is_gone_does_not_keep_a_file_open(path: Path) -> None:
    folder = path.parent / "van"
    folder.mkdir()
    file = AppendFile.create(folder / "a.journal")
    shutil.rmtree(folder)
    folder.touch()
    file.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(file._descriptor)


@posix
def test_new_file_is_refused_if_its_folder_cannot_be_synced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", refusing(errno.EINVAL, "Invalid argument"))
    with pytest.raises(JournalError, match=r"cannot write the journal .*a\.journal: Invalid argument"):
        AppendFile.create(path)
    assert not path.exists()


@posix
def test_a_second_dealer_is_refused_until_the_first_closes(file: AppendFile, path: Path) -> None:
    with pytest.raises(JournalError, match=r"another dealer is writing .*a\.journal; stop it first"):
        AppendFile.reopen(path)
    file.append(b"def")
    assert path.read_bytes() == b"abcdef"
    file.close()
    with closing(AppendFile.reopen(path)) as second:
        assert second.size == 6
        second.append(b"ghi")
    assert path.read_bytes() == b"abcdefghi"


@posix
def test_a_file_that_cannot_be_locked_is_not_said_to_be_in_use(
    file: AppendFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert file_module.fcntl is not None
    monkeypatch.setattr(file_module.fcntl, "flock", refusing(errno.ENOLCK, "No locks available"))
    with pytest.raises(JournalError, match=r"cannot write the journal .*: No locks available"):
        AppendFile.reopen(file.path)
    assert file.path.read_bytes() == b"abc"


@pytest.mark.parametrize("name", ["nothing", "."])
def test_a_file_that_cannot_be_opened_again_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(
        JournalError, match=r"(there is no journal .*nothing|cannot write the journal .*: Is a directory)"
    ):
        AppendFile.reopen(tmp_path / name)


def test_an_empty_new_journal_is_taken_away(path: Path) -> None:
    AppendFile.create(path).close()
    assert not path.exists()


def test_an_empty_file_that_was_there_before_is_left_there(path: Path) -> None:
    path.touch()
    with pytest.raises(JournalError, match="no tournament was started in it"):
        reopen_journal(path)
    assert path.exists()


def test_a_long_write_is_finished_in_as_many_pieces_as_it_takes(file: AppendFile, disk: Disk) -> None:
    wrote = disk.write

    def in_pieces(descriptor: int, data: bytes | memoryview) -> int:
        return wrote(descriptor, memoryview(data)[:4])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", in_pieces)
        file.append(b"0123456789")
    assert disk.steps == ["write 4", "write 4", "write 2"]
    assert file.path.read_bytes() == b"abc0123456789"


def test_what_is_appended_is_forced_later(file: AppendFile, disk: Disk) -> None:
    file.append(b"def")
    assert (file.size, file.forced, file.unforced) == (6, 0, 6)
    file.force()
    assert (file.size, file.forced, file.unforced) == (6, 6, 0)
    file.append(b"ghi")
    assert (file.size, file.forced, file.unforced) == (9, 6, 3)
    assert disk.steps == ["write 3", "sync", "write 3"]


@pytest.mark.parametrize("closed", [False, True])
def test_partial_write_is_finished_before_the_next_or_cut_off(closed: bool, file: AppendFile, disk: Disk) -> None:
    disk.room = 2
    with pytest.raises(OSError, match="No space left"):
        file.append(b"defg")
    assert (file.size, file.path.read_bytes()) == (3, b"abcde")
    if closed:
        file.close()
        assert file.path.read_bytes() == b"abc"
        return
    disk.room = 9
    file.write_again()
    file.append(b"hi")
    assert (file.size, file.path.read_bytes()) == (9, b"abcdefghi")
    assert disk.steps == ["write 2", "write 7", "write 2"]


def test_all_since_the_last_good_force_is_written_again(file: AppendFile, disk: Disk) -> None:
    """A force that fails may have thrown away what it could not write; the next one then tells nothing."""
    file.force()
    file.append(b"def")
    disk.syncs = [OSError(errno.EIO, "Input/output error")]
    with pytest.raises(OSError, match="Input/output"):
        file.force()
    assert (file.size, file.forced) == (6, 3)
    file.append(b"ghi")
    with file.path.open("r+b") as other:
        other.seek(3)
        other.write(bytes(6))  # the pages are lost
    file.write_again()
    file.force()
    assert file.path.read_bytes() == b"abcdefghi"
    assert (file.size, file.forced, file.unforced) == (9, 9, 0)
    assert disk.steps[-3:] == ["write 3", "write 6", "sync"]


def test_what_is_cut_off_is_kept_beside_the_file(file: AppendFile) -> None:
    file.append(b"torn")
    kept = file.cut(3)
    assert kept is not None
    assert (file.path.read_bytes(), file.size) == (b"abc", 3)
    assert (kept.read_bytes(), kept.parent) == (b"torn", file.path.parent)
    assert kept.name == "a.journal.torn-1"
    if os.name == "posix":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    file.append(b"on")
    assert file.path.read_bytes() == b"abcon"


def test_what_was_cut_off_before_is_not_overwritten(file: AppendFile) -> None:
    for number, tail in enumerate([b"first", b"second", b"third"], 1):
        file.append(tail)
        assert file.cut(3) == file.path.with_name(f"a.journal.torn-{number}")
    for number, tail in enumerate([b"first", b"second", b"third"], 1):
        assert file.path.with_name(f"a.journal.torn-{number}").read_bytes() == tail


def test_nothing_is_cut_off_that_could_not_be_kept(file: AppendFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.append(b"torn")
    monkeypatch.setattr(os, "fsync", refusing(errno.ENOSPC, "No space left on device"))
    with pytest.raises(JournalError, match=r"cannot cut the torn end off .*a\.journal: No space left"):
        file.cut(3)
    assert (file.path.read_bytes(), file.size) == (b"abctorn", 7)


def test_file_that_others_made_longer_is_not_cut_when_it_is_closed(file: AppendFile) -> None:
    with file.path.open("ab") as other:
        other.write(b"more")
    file.close()
    assert file.path.read_bytes().endswith(b"more")


def test_zeros_are_cut_off_and_not_kept(path: Path) -> None:
    path.write_bytes(b"abc" + bytes(4096))
    with closing(AppendFile.reopen(path)) as file:
        assert file.cut(3) is None
        assert (path.read_bytes(), file.size) == (b"abc", 3)
        file.append(b"def")
    assert path.read_bytes() == b"abcdef"
    assert [*path.parent.iterdir()] == [path]


SETTINGS = Settings(SEED, hands=6, game=StudGame(100), table_size=3)

#: What the record of the end has, and no other. Players that close their connections may be recorded behind it.
END = msgpack.packb("type") + msgpack.packb("end")

Batches = list[bytes]


@pytest.fixture
async def batches(tmp_path: Path, tcp_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> Batches:
    """The journal of two tables, one of which loses a player, without the record of its end and those behind it.

    Only its start was forced to the disk.
    """
    monkeypatch.setattr(writer, "FORCE_SECONDS", PATIENCE)
    path = tmp_path / "whole.journal"
    async with open_journal(AppendFile.create(path)) as journal:
        await play([*good_clients(5), replies.bets_too_much], SETTINGS, journal)
    assert [record["type"] for record in read_raw(path)].count("hand") == 12
    ends = [0]
    for _ in read_raw(path, ends.append):
        pass
    data = path.read_bytes()
    whole = [data[start:end] for start, end in pairwise(ends)]
    assert sum(END in batch for batch in whole) == 1
    return list(takewhile(lambda batch: END not in batch, whole))


class Torn:
    """Copies of a journal, each torn in another way, that are played on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()

    def check(self, whole: bytes, tail: bytes) -> None:
        """A dealer that plays on finds ``whole``, and nothing of ``tail`` is lost but zeros at its end."""
        path = self._folder / f"{next(self._numbers)}.journal"
        path.write_bytes(whole + tail)
        reopened = reopen_journal(path)
        reopened.file.close()
        assert path.read_bytes() == whole
        tail = tail.rstrip(b"\0")
        assert reopened.cut == len(tail)
        if tail:
            assert reopened.kept is not None
            assert reopened.kept.read_bytes() == tail
            assert reopened.kept == path.with_name(f"{path.name}.torn-1")
        else:
            assert reopened.kept is None
        list(read_raw(path))


@pytest.fixture
def torn(tmp_path: Path) -> Torn:
    return Torn(tmp_path)


async def test_after_a_power_failure_the_last_batch_may_be_anything(batches: Batches, torn: Torn) -> None:
    """There may be room before what should be in it is on the disk; what comes then is zeros, or old bytes."""
    rng = Random(7)
    whole, last = b"".join(batches[:-1]), batches[-1]
    torn.check(whole, bytes(len(last)))
    torn.check(whole, bytes(8192))
    for _ in range(300):
        torn.check(whole, rng.randbytes(len(last)))
        sector = rng.randrange(len(last))
        torn.check(whole, last[:sector] + bytes(len(last) - sector))
        torn.check(whole, bytes(sector + 1) + last[sector + 1 :])


async def test_dealer_may_die_at_any_byte_of_a_file_with_room(batches: Batches, torn: Torn) -> None:
    """Whatever part of a batch is there, and however much room: what is whole counts, and nothing else."""

    @settings(max_examples=150, deadline=None)
    @given(
        number=st.integers(1, len(batches) - 1),
        written=st.floats(0, 1, exclude_max=True),
        room=st.sampled_from([0, 1, 511, 4096, 65536]),
    )
    def check(number: int, written: float, room: int) -> None:
        """A part of a batch is ``written``, and there are so many bytes of ``room`` behind that."""
        whole, last = b"".join(batches[:number]), batches[number]
        there = int(written * len(last))
        missing = len(last) - there
        # Where only zeros are missing and the room has them, the batch is whole.
        if room >= missing and not last[there:].strip(b"\0"):
            torn.check(whole + last, bytes(room - missing))
        else:
            torn.check(whole, last[:there] + bytes(room))

    check()


async def test_a_power_cut_may_take_any_pages_of_what_was_not_forced(batches: Batches, torn: Torn) -> None:
    """The batches behind the first that is not whole were not on the disk either, though some of them may be there."""
    for number in range(2, len(batches) - 1):
        whole, rest = b"".join(batches[:number]), b"".join(batches[number + 1 :])
        torn.check(whole, bytes(len(batches[number])) + rest)


async def test_damage_of_what_was_forced_is_refused(batches: Batches, tmp_path: Path) -> None:
    """A batch behind it has a mark: all before it was on the disk, so no power cut has taken it."""
    path, head = tmp_path / "damaged.journal", batches[-1][9:41]
    data = b"".join(batches)
    marked, _ = pack_batch(pack_forced(len(data)) + pack_raw("stall", {"seconds": 1.0}), head)
    place = len(data) - len(batches[-1])
    path.write_bytes(data[:place] + bytes(len(batches[-1])) + marked)
    with pytest.raises(JournalError, match=r"is damaged or altered, at byte \d+, and whole ones follow at byte \d+"):
        reopen_journal(path)
    path.write_bytes(data + marked)
    assert [record["type"] for record in read_raw(path)][-1] == "stall"


async def test_damage_of_the_start_is_refused(batches: Batches, tmp_path: Path) -> None:
    path = tmp_path / "damaged.journal"
    path.write_bytes(b"".join([bytes(len(batches[0])), *batches[1:]]))
    with pytest.raises(JournalError, match=r"record 1 is damaged or altered, at byte 0, and whole ones follow"):
        reopen_journal(path)


async def test_a_start_that_was_torn_was_no_start(batches: Batches, tmp_path: Path) -> None:
    path = tmp_path / "start.journal"
    for length in range(len(batches[0])):
        path.write_bytes(batches[0][:length] + bytes(4096 * (length % 2)))
        with pytest.raises(JournalError, match=r"no tournament was started in it, .*start one anew"):
            reopen_journal(path)
