"""A journal that is lost during play, so that nobody goes on until it is back or begun anew, or outgrows its limit."""

import errno
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import closing
from io import FileIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from dealer.hosting.results import Results, show_results
from dealer.journal import file as file_module
from dealer.journal import writer
from dealer.journal.batches import read_batches
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.settings import Settings
from protocol.games.stud import StudGame
from tests.dealer.support.raw_records import named, read_raw
from tests.dealer.support.recorded import rebuilt
from tests.dealer.support.rig import SEED, good_clients, play
from tests.patience import PATIENCE


def delete(path: Path) -> None:
    path.unlink()


def move_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def cut(path: Path) -> None:
    os.truncate(path, 10)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def overwrite(path: Path, place: int = 5) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1]))


LOSSES: dict[Callable[[Path], None], str] = {
    delete: "was deleted or moved away",
    move_away: "was deleted or moved away",
    replace: "was replaced by another file",
    cut: "was altered: it has 10 bytes instead of",
    append: "was altered: it has",
    overwrite: "was altered: byte 5 is not as it was written",
}


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look all the time, so that no test waits for it."""
    monkeypatch.setattr(writer, "FORCE_SECONDS", 0.001)


class Host:
    def __init__(self) -> None:
        self.told: list[str] = []
        self._more = trio.Event()

    def hear(self, text: str) -> None:
        self.told.append(text)
        self._more.set()

    async def heard(self, sentences: int) -> str:
        """Wait until there are so many; the last one."""
        while len(self.told) < sentences:
            self._more = trio.Event()
            await self._more.wait()
        return self.told[-1]


def names(path: Path) -> list[str]:
    return [record["reason"] for record in read_raw(path)]


async def save(journal: Journal, name: str) -> None:
    journal.record(named(name))
    await journal.saved()


@pytest.mark.parametrize("lose", LOSSES, ids=lambda lose: lose.__name__)
async def test_loss_is_noticed_while_nobody_records(lose: Callable[[Path], None], tmp_path: Path) -> None:
    path, host = tmp_path / "a.journal", Host()
    with trio.fail_after(PATIENCE):
        async with open_journal(AppendFile.create(path), host.hear) as journal:
            await save(journal, "a")
            await journal.forced()
            lose(path)
            told = await host.heard(1)
            assert f"No more hands for now: the journal {LOSSES[lose]}" in told
            assert "press Ctrl-C at the dealer's terminal and answer n, or use `casino desk ADDRESS journal`" in told
            assert journal.lost
            assert journal.trouble is not None
            assert LOSSES[lose] in journal.trouble


@pytest.mark.parametrize("lose", LOSSES, ids=lambda lose: lose.__name__)
async def test_new_journal_has_all_so_far(lose: Callable[[Path], None], tmp_path: Path) -> None:
    """Also the record that was under way, and those of the dealer before; and its chain goes on."""
    path, host = tmp_path / "a.journal", Host()
    with trio.fail_after(PATIENCE):
        async with open_journal(AppendFile.create(path)) as journal:
            await save(journal, "a")
        file = AppendFile.reopen(path)
        *_, last = read_batches(path)
        file.head = last.head
        async with open_journal(file, host.hear) as journal, trio.open_nursery() as nursery:
            await save(journal, "b")
            lose(path)
            await host.heard(1)
            nursery.start_soon(save, journal, "c")
            journal.begin_anew()
            assert await host.heard(2) == (
                f"The journal can be written again; play goes on. It is now {tmp_path / 'a-2.journal'}."
            )
        assert journal.trouble is None
        assert not journal.begins_anew
    assert names(tmp_path / "a-2.journal") == ["a", "b", "c"]


async def test_table_waits_until_the_journal_is_put_back(tmp_path: Path) -> None:
    path, host, saved = tmp_path / "a.journal", Host(), trio.Event()

    async def play(journal: Journal) -> None:
        await save(journal, "b")
        saved.set()

    with trio.fail_after(PATIENCE):
        async with open_journal(AppendFile.create(path), host.hear) as journal, trio.open_nursery() as nursery:
            await save(journal, "a")
            move_away(path)
            await host.heard(1)
            nursery.start_soon(play, journal)
            for _ in range(3):
                await journal._went_on.wait()
            assert not saved.is_set()
            path.with_name("elsewhere").rename(path)
            assert await host.heard(2) == "The journal can be written again; play goes on."
            await saved.wait()
    assert names(path) == ["a", "b"]


async def test_altered_byte_is_noticed_while_hands_are_recorded(tmp_path: Path) -> None:
    """The next append gives the file new times, so they tell nothing of a change before it."""
    path, host = tmp_path / "a.journal", Host()
    with trio.fail_after(PATIENCE):
        async with open_journal(AppendFile.create(path), host.hear) as journal, trio.open_nursery() as nursery:
            await save(journal, "a")

            async def play() -> None:
                while True:
                    await save(journal, "b")

            nursery.start_soon(play)
            await trio.testing.wait_all_tasks_blocked()
            overwrite(path)
            assert "byte 5 is not as it was written" in await host.heard(1)
            overwrite(path)
            assert await host.heard(2) == "The journal can be written again; play goes on."
            nursery.cancel_scope.cancel()
    assert set(names(path)) == {"a", "b"}


@given(st.data(), st.integers(1, 40), st.integers(1, 12), st.integers(1, 12))
def test_altered_bytes_of_a_long_journal_are_found_part_by_part(
    data: st.DataObject, size: int, look: int, part: int
) -> None:
    """All bytes are compared in so many looks as they take; then no look is content until the last byte is back."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_module, "LOOK_BYTES", look)
        patch.setattr(file_module, "_PART_BYTES", part)
        path = Path(folder, "a.journal")
        with closing(AppendFile.create(path)) as file:
            file.append(bytes(size))
            file.force()
            for _ in range(data.draw(st.integers(0, 5), "looks before")):
                assert file.loss() is None
            file.append(bytes(3))
            file.force()
            places = data.draw(st.lists(st.integers(0, size + 2), min_size=1, unique=True), "places")
            for place in places:
                overwrite(path, place)
            looks = [file.loss() for _ in range(-(-(size + 3) // min(look, size + 3)) + 1)]
            assert looks[-1] in {f"was altered: byte {place} is not as it was written" for place in places}
            while places:
                assert file.loss() is not None
                overwrite(path, places.pop())
            assert file.loss() is None


def test_file_that_is_cut_while_it_is_compared_is_told_by_its_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.journal"
    with closing(AppendFile.create(path)) as file:
        file.append(b"abcdefghijklmnop")
        file.force()
        compare = file._altered_at

        def cut_then_compare(opened: FileIO) -> int | None:
            cut(path)
            return compare(opened)

        monkeypatch.setattr(file, "_altered_at", cut_then_compare)
        loss = file.loss()
        assert loss is not None
        assert "it has 10 bytes" in loss


def test_altered_byte_is_not_noticed_without_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with closing(AppendFile.create(path)) as file:
        file.append(b"abcdefgh")
        file.force()
        file._copy.close()
        overwrite(path)
        assert file.loss() is None


def test_unreadable_journal_is_a_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(AppendFile.create(tmp_path / "a.journal")) as file:
        file.append(b"abcdefgh")

        def refuse(_file: FileIO) -> None:
            raise OSError(errno.EIO, "Input/output error")

        monkeypatch.setattr(file, "_altered_at", refuse)
        assert file.loss() == "cannot be read (Input/output error)"


def test_file_that_others_cut_is_not_appended_to(tmp_path: Path) -> None:
    """Else its length would be right again, and only a comparison of all its bytes would find the loss."""
    path = tmp_path / "a.journal"
    with closing(AppendFile.create(path)) as file:
        file.append(b"abcdefghijklmnop")
        cut(path)
        with pytest.raises(OSError, match="it has 10 bytes instead of 16"):
            file.append(b"more")
        assert file.loss() == "was altered: it has 10 bytes instead of 16"


async def test_without_room_for_a_copy_a_lost_journal_stays_lost(tmp_path: Path) -> None:
    path, host = tmp_path / "a.journal", Host()
    file = AppendFile.create(path)
    file._copy.close()
    with trio.fail_after(PATIENCE):
        async with open_journal(file, host.hear) as journal:
            await save(journal, "a")
            await journal.forced()
            delete(path)
            await host.heard(1)
            journal.begin_anew()
            while journal.begins_anew:
                await journal._went_on.wait()
            assert journal.trouble is not None
            assert journal.trouble.endswith(", and cannot be written to a new file (there was no room for a copy)")
            assert host.told[1:] == [f"Still no more hands: {journal.trouble}."]
            journal.begin_anew()
            assert await host.heard(3) == host.told[1]  # each request is answered
    assert not (tmp_path / "a-2.journal").exists()


def test_journal_needs_no_folder_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A container may have none."""

    def refuse(**_: object) -> None:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    file = AppendFile.create(tmp_path / "a.journal")
    file.append(b"data")
    file.close()
    AppendFile.reopen(tmp_path / "a.journal").close()
    assert (tmp_path / "a.journal").read_bytes() == b"data"


HANDS = 30
SETTINGS = Settings(SEED, hands=HANDS, game=StudGame(1000))
WHY = "ended early: the journal is as large as --journal-limit allows"


async def play_with_limit(path: Path, limit: float) -> Results:
    async with open_journal(AppendFile.create(path), limit=limit) as journal:
        played = await play(good_clients(2), SETTINGS, journal)
    return Results(played.tournament, SETTINGS, path)


async def test_who_wonders_why_it_ended_early_reads_it_in_the_results(
    tmp_path: Path, tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.journal"
    results = await play_with_limit(path, 2000)
    assert results.tournament is not None
    hands = results.tournament.hands_finished
    assert 1 < hands < HANDS
    rebuild = rebuilt(path)
    assert rebuild.ended
    assert rebuild.ledger.seating.tables[0].finished == hands
    show_results(results, as_json=False)
    assert f"{hands} hands\n{WHY}\n" in capsys.readouterr().out
    show_results(results, as_json=True)
    assert json.loads(capsys.readouterr().out)["ended_early"] == WHY


async def test_finished_tournament_did_not_end_early(
    tmp_path: Path, tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its last record takes the journal beyond the limit."""
    path = tmp_path / "enough.journal"
    await play_with_limit(path, 10**6)
    before_the_end = path.stat().st_size - 100
    results = await play_with_limit(tmp_path / "just.journal", before_the_end)
    assert results.tournament is not None
    assert results.tournament.hands_finished == HANDS
    assert results.tournament.journal.outgrown
    show_results(results, as_json=False)
    assert "ended early" not in capsys.readouterr().out
    show_results(results, as_json=True)
    assert json.loads(capsys.readouterr().out)["ended_early"] is None
