"""A journal whose end a crash has torn, wherever it did: what is whole is played on, and the rest is kept."""

from itertools import count, pairwise, takewhile
from pathlib import Path
from random import Random

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from dealer.errors import JournalError
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


async def test_the_last_two_batches_may_be_torn_at_any_byte(batches: Batches, torn: Torn) -> None:
    for number in (-2, -1):
        whole, last = b"".join(batches[:number]), batches[number]
        for length in range(len(last)):
            torn.check(whole, last[:length])


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
