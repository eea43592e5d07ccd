"""The file of a journal: nobody else's to read or write, and never longer than what is on the disk."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dealer.cli.options import default_journal
from dealer.errors import JournalError, OptionError
from dealer.journal import file as file_module
from dealer.journal.file import ROOM_BYTES, AppendFile
from dealer.tournament.opening import reopen_journal

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


def held(path: Path) -> bytes:
    """What is in a file that is open, without the room for more."""
    return path.read_bytes().rstrip(b"\0")


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
    def refuse(_descriptor: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(JournalError, match=r"cannot write the journal .*a\.journal: Invalid argument"):
        AppendFile.create(path)
    assert not path.exists()


@posix
def test_a_second_dealer_is_refused_and_the_first_writes_on(file: AppendFile, path: Path) -> None:
    with pytest.raises(JournalError, match=r"another dealer is writing .*a\.journal; stop it first"):
        AppendFile.reopen(path)
    file.append(b"def")
    assert held(path) == b"abcdef"


@posix
def test_a_file_that_cannot_be_locked_is_not_said_to_be_in_use(
    file: AppendFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    assert file_module.fcntl is not None
    monkeypatch.setattr(file_module.fcntl, "flock", refuse)
    with pytest.raises(JournalError, match=r"cannot write the journal .*: No locks available"):
        AppendFile.reopen(file.path)
    assert held(file.path) == b"abc"


def test_second_dealer_may_append_after_the_first_closes(path: Path) -> None:
    first = AppendFile.create(path)
    first.append(b"abc")
    first.close()
    second = AppendFile.reopen(path)
    assert second.size == 3
    second.append(b"def")
    second.close()
    assert path.read_bytes() == b"abcdef"


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
    assert disk.steps == ["write 4", "write 4", "write 2", "sync"]
    assert held(file.path) == b"abc0123456789"


def test_partial_write_is_cut_off_before_the_next_attempt(file: AppendFile, disk: Disk) -> None:
    disk.room = 2
    with pytest.raises(OSError, match="No space left"):
        file.append(b"defg")
    assert (file.size, held(file.path)) == (3, b"abcde")
    disk.room = 9
    file.append(b"hi")
    assert (file.size, held(file.path)) == (5, b"abchi")
    assert disk.steps == ["write 2", "cut to 3", "write 2", "sync"]


def test_failed_sync_writes_the_data_again(file: AppendFile, disk: Disk) -> None:
    """A sync that fails may have thrown away what it could not write; the next one then tells nothing."""
    disk.syncs = [OSError(errno.EIO, "Input/output error")]
    with pytest.raises(OSError, match="Input/output"):
        file.append(b"def")
    assert file.size == 3
    file.append(b"def")
    assert held(file.path) == b"abcdef"
    assert disk.steps == ["write 3", "sync", "cut to 3", "write 3", "sync"]


def test_after_a_good_append_nothing_is_cut(file: AppendFile, disk: Disk) -> None:
    disk.syncs = [OSError(errno.EIO, "Input/output error")]
    with pytest.raises(OSError, match="Input/output"):
        file.append(b"def")
    file.append(b"def")
    file.append(b"ghi")
    assert disk.steps[-2:] == ["write 3", "sync"]
    assert file.size == 9


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
    assert held(file.path) == b"abcon"


def test_what_was_cut_off_before_is_not_overwritten(file: AppendFile) -> None:
    for number, tail in enumerate([b"first", b"second", b"third"], 1):
        file.append(tail)
        assert file.cut(3) == file.path.with_name(f"a.journal.torn-{number}")
    for number, tail in enumerate([b"first", b"second", b"third"], 1):
        assert file.path.with_name(f"a.journal.torn-{number}").read_bytes() == tail


def test_nothing_is_cut_off_that_could_not_be_kept(file: AppendFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.append(b"torn")

    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(JournalError, match=r"cannot cut the torn end off .*a\.journal: No space left"):
        file.cut(3)
    assert (held(file.path), file.size) == (b"abctorn", 7)


class TestRoom:
    """The file is made longer before it is needed, and ends with zeros until it is closed."""

    needs_room = pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="this system cannot make room")

    @needs_room
    def test_room_is_made_for_many_pieces_at_a_time(self, path: Path) -> None:
        with closing(AppendFile.create(path)) as file:
            lengths = set()
            for number in range(100):
                file.append(b"%4d" % number * 300)
                lengths.add(path.stat().st_size)
                assert file.loss() is None
            assert lengths == {ROOM_BYTES, 2 * ROOM_BYTES}
            assert held(path) == b"".join(b"%4d" % number * 300 for number in range(100))

    @needs_room
    def test_room_is_written_and_not_only_reserved(self, path: Path) -> None:
        with closing(AppendFile.create(path)) as file, path.open("rb") as other:
            file.append(b"abc")
            assert other.seek(0, os.SEEK_HOLE) == ROOM_BYTES

    @needs_room
    def test_long_piece_gets_all_its_room_at_once(self, path: Path) -> None:
        with closing(AppendFile.create(path)) as file:
            file.append(b"x" * (3 * ROOM_BYTES))
            assert path.stat().st_size == 4 * ROOM_BYTES

    def test_closed_file_has_no_room(self, path: Path) -> None:
        with closing(AppendFile.create(path)) as file:
            file.append(b"abc\0")
        assert path.read_bytes() == b"abc\0"

    def test_file_that_others_made_longer_is_not_cut_when_it_is_closed(self, file: AppendFile) -> None:
        with file.path.open("ab") as other:
            other.write(b"more")
        file.close()
        assert file.path.read_bytes().endswith(b"more")

    @pytest.mark.parametrize("code", [errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSPC, errno.EFBIG])
    def test_where_no_room_can_be_made_the_file_grows_with_each_piece(
        self, code: int, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = []

        def refuse(descriptor: int, offset: int, length: int) -> None:
            asked.append(length)
            os.ftruncate(descriptor, offset + length // 2)  # an attempt that fails may leave a part
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(os, "posix_fallocate", refuse, raising=False)
        with closing(AppendFile.create(path)) as file:
            for whole in (b"abc", b"abcdef"):
                file.append(whole[-3:])
                assert path.read_bytes() == whole
                assert file.loss() is None
        assert asked == [ROOM_BYTES]

    def test_system_without_such_a_call_needs_none(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
        with closing(AppendFile.create(path)) as file:
            file.append(b"abc")
            assert path.read_bytes() == b"abc"

    @needs_room
    def test_full_disk_takes_what_fits_and_then_refuses(
        self, path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_descriptor: int, _offset: int, _length: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "posix_fallocate", refuse)
        disk.room = 4
        with closing(AppendFile.create(path.with_name("b.journal"))) as file:
            file.append(b"abc")
            with pytest.raises(OSError, match="No space left"):
                file.append(b"def")
            disk.room = 3
            file.append(b"def")
            assert held(file.path) == b"abcdef"

    @needs_room
    def test_no_room_is_made_in_a_file_that_others_have_cut(self, file: AppendFile) -> None:
        """Else its length would be right again, and only a comparison of all its bytes would find the loss."""
        os.truncate(file.path, 0)
        file.append(b"x" * 2 * ROOM_BYTES)
        assert "was altered: it has" in str(file.loss())

    def test_zeros_are_cut_off_and_not_kept(self, path: Path) -> None:
        path.write_bytes(b"abc" + bytes(4096))
        with closing(AppendFile.reopen(path)) as file:
            assert file.cut(3) is None
            assert (path.read_bytes(), file.size) == (b"abc", 3)
            file.append(b"def")
        assert path.read_bytes() == b"abcdef"
        assert [*path.parent.iterdir()] == [path]
