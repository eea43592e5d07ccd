"""The bytes of a journal: what was written comes back, and whatever was not is told from it."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any
from zlib import crc32

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.errors import JournalError, TornError
from dealer.journal.records import Record, pack_batch, pack_record, read_journal

RECORDS: list[dict[str, Any]] = [{"type": "hand", "hand": number, "deck": bytes(range(9))} for number in range(5)]
#: Records in each batch.
SIZES = (1, 2, 1, 1)


def pack(record: Record) -> bytes:
    return pack_record(record["type"], {name: fact for name, fact in record.items() if name != "type"})


def batches(records: Sequence[Record] = RECORDS, sizes: Sequence[int] = SIZES) -> list[bytes]:
    rest = iter(records)
    return [pack_batch(b"".join(pack(record) for record in islice(rest, size))) for size in sizes]


BATCHES = batches()
WHOLE = b"".join(BATCHES)
#: Where each batch ends.
ENDS = [len(b"".join(BATCHES[:count])) for count in range(len(BATCHES) + 1)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of this module, which every example of a property writes anew."""
    return tmp_path_factory.mktemp("records") / "a.journal"


def read(path: Path, data: bytes) -> tuple[list[Record], JournalError | None]:
    """The records that came before the error, and the error."""
    path.write_bytes(data)
    records: list[Record] = []
    told: JournalError | None = None
    try:
        for record in read_journal(path):
            records.append(record)  # noqa: PERF402 - those before an error count
    except JournalError as error:
        told = error
    assert told is None or ("\n" not in str(told) and str(path) in str(told))
    return records, told


def whole_before(length: int) -> tuple[int, int]:
    """The bytes of whole batches among the first ``length``, and the records in them."""
    count = max(number for number, end in enumerate(ENDS) if end <= length)
    return ENDS[count], sum(SIZES[:count])


def test_records_come_back_in_order_whatever_batches_they_share(path: Path) -> None:
    assert read(path, WHOLE) == (RECORDS, None)


@given(
    records=st.lists(
        st.dictionaries(st.text(max_size=5), st.integers(-(2**63), 2**64 - 1) | st.text() | st.binary() | st.none())
    ),
    data=st.data(),
)
def test_anything_that_was_recorded_comes_back(path: Path, records: list[dict[str, Any]], data: st.DataObject) -> None:
    rest = [{**facts, "type": "any"} for facts in records]
    sizes = []
    left = len(rest)
    while left:
        sizes.append(data.draw(st.integers(1, left)))
        left -= sizes[-1]
    assert read(path, b"".join(batches(rest, sizes))) == (rest, None)


def test_places_are_told_behind_every_batch(path: Path) -> None:
    path.write_bytes(WHOLE)
    places: list[int] = []
    list(read_journal(path, places.append))
    assert places == ENDS[1:]


def test_torn_end_is_noticed_at_every_byte(path: Path) -> None:
    for length in range(len(WHOLE)):
        whole, count = whole_before(length)
        records, error = read(path, WHOLE[:length])
        assert records == RECORDS[:count]
        if length == whole:
            assert error is None
        else:
            assert isinstance(error, TornError), length
            assert (error.whole, error.torn) == (whole, length - whole)


@pytest.mark.parametrize("zeros", [1, 7, 512, 4096])
def test_zeros_behind_a_torn_end_are_part_of_it(path: Path, zeros: int) -> None:
    """A file system may have made a file longer and not have written what belongs there."""
    for length in range(len(WHOLE) + 1):
        whole, count = whole_before(length)
        records, error = read(path, WHOLE[:length] + bytes(zeros))
        assert records == RECORDS[:count]
        assert isinstance(error, TornError)
        assert (error.whole, error.torn) == (whole, length - whole + zeros)


def test_nothing_but_zeros_is_torn_at_its_first_byte(path: Path) -> None:
    records, error = read(path, bytes(4096))
    assert (records, type(error), getattr(error, "whole", None)) == ([], TornError, 0)


@pytest.mark.parametrize("flip", [0x01, 0x10, 0x80, 0xFF])
def test_a_changed_byte_is_noticed_wherever_it_is(path: Path, flip: int) -> None:
    """In the last batch it looks as if torn; before that it is damage, and nothing may be cut off."""
    for place in range(len(WHOLE)):
        whole, count = whole_before(place)
        records, error = read(path, WHOLE[:place] + bytes([WHOLE[place] ^ flip]) + WHOLE[place + 1 :])
        assert records == RECORDS[:count], place
        if whole == ENDS[-2]:
            assert isinstance(error, TornError), place
            assert (error.whole, error.torn) == (whole, len(WHOLE) - whole)
        else:
            assert error is not None
            assert not isinstance(error, TornError), place
            assert f"record {count + 1} is damaged, at byte {whole}, and whole ones follow at byte " in str(error)


@given(place=st.integers(0, len(WHOLE)), dropped=st.integers(0, 40), put=st.binary(max_size=40))
def test_changed_bytes_never_yield_a_new_record(path: Path, place: int, dropped: int, put: bytes) -> None:
    altered = WHOLE[:place] + put + WHOLE[place + dropped :]
    records, error = read(path, altered)
    _, count = whole_before(place)
    assert records[:count] == RECORDS[:count]
    assert all(record in RECORDS for record in records)
    if error is None:
        # Only whole batches may go without a trace: that is for the hand numbers to tell.
        assert records == [record for record in RECORDS if record in records]
    if isinstance(error, TornError):
        assert not any(batch in altered[error.whole :] for batch in BATCHES)


@given(garbage=st.binary(min_size=1, max_size=100), at_front=st.booleans())
def test_garbage_at_an_end_hides_nothing(path: Path, garbage: bytes, at_front: bool) -> None:
    records, error = read(path, garbage + WHOLE if at_front else WHOLE + garbage)
    assert error is not None
    assert isinstance(error, TornError) is not at_front
    assert records == ([] if at_front else RECORDS)


@given(data=st.binary(min_size=1, max_size=60) | st.recursive(st.integers(0, 99), st.lists).map(msgpack.packb))
def test_a_file_that_is_no_journal_gives_no_record(path: Path, data: bytes) -> None:
    records, error = read(path, data)
    assert records == []
    assert error is not None


@pytest.mark.parametrize("text", [b"hello, this is no journal\n" * 9, b"\x93\xc4\x04", b"{}", b"\xff" * 100])
def test_a_file_of_another_kind_is_named_as_such(path: Path, text: bytes) -> None:
    _, error = read(path, text)
    assert str(error) == f"{path} is no journal"


def test_an_empty_file_has_no_records(path: Path) -> None:
    assert read(path, b"") == ([], None)


def test_half_a_record_with_a_right_checksum_is_an_error(path: Path) -> None:
    half = pack_batch(pack(RECORDS[0]) + pack(RECORDS[1])[:-1])
    records, error = read(path, WHOLE + half)
    assert records == RECORDS
    assert isinstance(error, TornError)
    assert read(path, half + WHOLE)[0] == []


def test_damage_far_before_the_end_of_a_big_file_is_damage(path: Path) -> None:
    """More than a hundred megabytes, which is more than a reader of MessagePack takes at once unless told to."""
    filler = pack_batch(pack({"type": "any", "bytes": bytes(1 << 20)}))
    with path.open("wb") as file:
        file.write(b"\x92\xc4\x04broken")
        for _ in range(102):
            file.write(filler)
    with pytest.raises(JournalError, match=r"record 1 is damaged, at byte 0, and whole ones follow at byte 9") as error:
        list(read_journal(path))
    path.unlink()
    assert not isinstance(error.value, TornError)


def test_version_1_is_told_from_a_file_that_is_no_journal(path: Path) -> None:
    """Its checksums were numbers; nothing else of it needs to be read to know that."""
    for started in range(50):
        body = msgpack.packb({"type": "start", "version": 1, "started": started})
        _, error = read(path, msgpack.packb([crc32(body), body]) * 3)
        assert str(error) == f"{path}: this journal is of version 1, this program reads version 4"


@pytest.mark.parametrize("name", ["nothing", ".", "file/below"])
def test_a_file_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        JournalError, match=r"cannot read the journal .*: (No such file|Is a directory|Not a directory)"
    ):
        list(read_journal(tmp_path / name))
