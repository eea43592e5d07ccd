"""The bytes of a journal: what was written comes back, as types, and whatever was not is told from it."""

from collections.abc import Sequence
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any
from zlib import crc32

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.errors import JournalError, TornError
from dealer.journal import batches as journal_batches
from dealer.journal.batches import NO_HEAD, pack_batch, read_packed
from dealer.journal.records import pack_record, unpack_record
from dealer.settings import OpenPorts, Services
from tests.dealer.support.altered_journals import Records, numbers
from tests.dealer.support.raw_records import chained, pack_raw, read_raw, typed, typed_start
from tests.docs.pages import blocks, page

RECORDS: list[dict[str, Any]] = [{"type": "hand", "hand": number, "deck": bytes(range(9))} for number in range(5)]
#: Records in each batch.
SIZES = (1, 2, 1, 1)


def pack(record: dict[str, Any]) -> bytes:
    return pack_raw(record["type"], {name: fact for name, fact in record.items() if name != "type"})


def batches(records: Sequence[dict[str, Any]] = RECORDS, sizes: Sequence[int] = SIZES) -> list[bytes]:
    rest = iter(records)
    return chained(b"".join(pack(record) for record in islice(rest, size)) for size in sizes)


BATCHES = batches()
WHOLE = b"".join(BATCHES)
#: The head of the journal before and behind each batch.
HEADS = [NO_HEAD, *(msgpack.unpackb(batch)[1] for batch in BATCHES)]
#: Where each batch ends.
ENDS = [len(b"".join(BATCHES[:count])) for count in range(len(BATCHES) + 1)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of this module, which every example of a property writes anew."""
    return tmp_path_factory.mktemp("records") / "a.journal"


def read(path: Path, data: bytes) -> tuple[list[dict[str, Any]], JournalError | None]:
    """The records that came before the error, and the error."""
    path.write_bytes(data)
    records: list[dict[str, Any]] = []
    told: JournalError | None = None
    try:
        for record in read_raw(path):
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
    """And places are told behind every batch."""
    assert read(path, WHOLE) == (RECORDS, None)
    places: list[int] = []
    list(read_raw(path, places.append))
    assert places == ENDS[1:]


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


@pytest.mark.parametrize("zeros", [0, 1, 7, 512, 4096])
def test_torn_end_is_noticed_at_every_byte_whatever_zeros_are_behind_it(path: Path, zeros: int) -> None:
    """A crash can leave them, and dealers of version 6 made room with them."""
    for length in range(len(WHOLE) + 1):
        whole, count = whole_before(length)
        records, error = read(path, WHOLE[:length] + bytes(zeros))
        assert records == RECORDS[:count]
        if length == whole:
            assert error is None
        else:
            assert isinstance(error, TornError), length
            assert (error.whole, error.torn) == (whole, len(WHOLE[whole:length].rstrip(b"\0")))


def test_no_batch_begins_with_a_zero() -> None:
    """So zeros can end a journal, and need no version of their own: a reader never takes them for a batch."""
    for body in (b"", b"\0", bytes(300), bytes(70_000), *map(pack, RECORDS)):
        batch, _ = pack_batch(body, NO_HEAD)
        assert batch.startswith(b"\x93\xc4\x04")


@pytest.mark.parametrize("size", [0, 4096])
def test_nothing_but_zeros_is_an_empty_journal(path: Path, size: int) -> None:
    """The machine crashed before the first record was there."""
    assert read(path, bytes(size)) == ([], None)


def test_what_a_dealer_writes_while_it_is_read_is_no_damage(path: Path) -> None:
    path.write_bytes(b"".join(BATCHES[:2]) + bytes(4096))
    reading = read_packed(path)
    found = [next(reading)]
    path.write_bytes(WHOLE + bytes(4096))
    found += reading
    assert [msgpack.unpackb(record) for batch in found for record in batch.records] == RECORDS
    assert ([batch.end for batch in found], [batch.head for batch in found]) == (ENDS[1:], HEADS[1:])


@pytest.mark.parametrize("room", [0, 1, 4096])
def test_altered_last_batch_is_not_called_torn_because_of_the_room_behind_it(path: Path, room: int) -> None:
    place = WHOLE.rindex(bytes(range(9)))
    altered = WHOLE[:place] + b"\x09" + WHOLE[place + 1 :]
    _, error = read(path, altered + bytes(room))
    assert f"at byte {ENDS[-2]}, does not follow from the one before it: it was altered" in str(error)


def test_batch_with_a_sector_of_zeros_is_torn_and_not_altered(path: Path) -> None:
    """A power failure can lose any part of a long batch that lies in a place of its own on the disk."""
    *before, long = batches([*RECORDS, {"type": "hand", "sent": b"x" * 2000}], [*SIZES, 1])
    place = long.index(b"x" * 2000)
    whole = b"".join(before)
    records, error = read(path, whole + long[:place] + bytes(1024) + long[place + 1024 :] + bytes(4096))
    assert records == RECORDS
    assert isinstance(error, TornError)
    assert (error.whole, error.torn) == (len(whole), len(long))


@pytest.mark.parametrize("flip", [0x01, 0x10, 0x80, 0xFF])
def test_a_changed_byte_is_noticed_wherever_it_is(path: Path, flip: int) -> None:
    """In the last batch it looks as if torn, or altered; before that it is damage, and nothing may be cut off."""
    for place in range(len(WHOLE)):
        whole, count = whole_before(place)
        records, error = read(path, WHOLE[:place] + bytes([WHOLE[place] ^ flip]) + WHOLE[place + 1 :])
        assert records == RECORDS[:count], place
        if whole == ENDS[-2]:
            torn = isinstance(error, TornError) and error.whole == whole
            assert torn or f"record {count + 1}, at byte {whole}, does not follow from the one before it" in str(error)
        else:
            assert error is not None
            assert not isinstance(error, TornError), place
            assert f"record {count + 1} is damaged or altered, at byte {whole}, and whole ones follow at byte " in str(
                error
            )


@given(place=st.integers(0, len(WHOLE)), dropped=st.integers(0, 40), put=st.binary(max_size=40))
def test_changed_bytes_never_yield_a_new_record(path: Path, place: int, dropped: int, put: bytes) -> None:
    altered = WHOLE[:place] + put + WHOLE[place + dropped :]
    records, error = read(path, altered)
    _, count = whole_before(place)
    assert records[:count] == RECORDS[:count]
    assert all(record in RECORDS for record in records)
    if error is None:
        # Only whole batches at the end may go without a trace: that is for the head to tell.
        assert records == RECORDS[: len(records)]
    if isinstance(error, TornError):
        assert not any(batch in altered[error.whole :] for batch in BATCHES)


@given(garbage=st.binary(min_size=1, max_size=100), at_front=st.booleans())
def test_garbage_at_an_end_hides_nothing(path: Path, garbage: bytes, at_front: bool) -> None:
    records, error = read(path, garbage + WHOLE if at_front else WHOLE + garbage)
    if not at_front and not garbage.strip(b"\0"):
        assert (records, error) == (RECORDS, None)
        return
    assert error is not None
    assert isinstance(error, TornError) is not at_front
    assert records == ([] if at_front else RECORDS)


@given(data=st.binary(min_size=1, max_size=60) | st.recursive(st.integers(0, 99), st.lists).map(msgpack.packb))
def test_a_file_that_is_no_journal_gives_no_record(path: Path, data: bytes) -> None:
    records, error = read(path, data)
    assert records == []
    assert (error is None) is (not data.strip(b"\0"))


@pytest.mark.parametrize("text", [b"hello, this is no journal\n" * 9, b"\x92\xc4\x04", b"{}", b"\xff" * 100])
def test_a_file_of_another_kind_is_named_as_such(path: Path, text: bytes) -> None:
    _, error = read(path, text)
    assert str(error) == f"{path} is no journal"


@pytest.mark.parametrize("begin", [b"\x93" + bytes(600), bytes(600)])
def test_a_first_batch_that_a_power_cut_took_is_torn(path: Path, begin: bytes) -> None:
    _, error = read(path, begin + b"the rest of it")
    assert isinstance(error, TornError)


def test_half_a_record_with_a_right_checksum_is_an_error(path: Path) -> None:
    half, _ = pack_batch(pack(RECORDS[0]) + pack(RECORDS[1])[:-1], HEADS[-1])
    records, error = read(path, WHOLE + half)
    assert records == RECORDS
    assert isinstance(error, TornError)
    assert read(path, half + WHOLE)[0] == []


def test_damage_far_before_the_end_of_a_big_file_is_damage(path: Path) -> None:
    """More than a hundred megabytes, which is more than a reader of MessagePack takes at once unless told to."""
    filler, _ = pack_batch(pack({"type": "any", "bytes": bytes(1 << 20)}), NO_HEAD)
    with path.open("wb") as file:
        file.write(b"\x93\xc4\x04broken")
        for _ in range(102):
            file.write(filler)
    with pytest.raises(
        JournalError, match=r"record 1 is damaged or altered, at byte 0, and whole ones follow at byte 9"
    ) as error:
        list(read_raw(path))
    path.unlink()
    assert not isinstance(error.value, TornError)


@pytest.mark.parametrize("version", [1, 2, 4])
def test_older_versions_are_told_from_a_file_that_is_no_journal(path: Path, version: int) -> None:
    """Their batches had a checksum and no link; that of version 1 was a number."""
    for started in range(50):
        body = msgpack.packb({"type": "start", "version": version, "started": started})
        checksum = crc32(body) if version == 1 else crc32(body).to_bytes(4, "big")
        _, error = read(path, msgpack.packb([checksum, body]) * 3)
        assert str(error) == f"{path}: this journal is of version {version}, this program reads versions 6 and 7"


def test_head_follows_from_every_record(path: Path) -> None:
    path.write_bytes(WHOLE)
    heads = [batch.head for batch in read_packed(path)]
    assert heads == HEADS[1:]
    assert len({*heads}) == len(heads)
    others = [{**RECORDS[0], "hand": 77}, *RECORDS[1:]]
    path.write_bytes(b"".join(batches(others)))
    assert not {*heads} & {batch.head for batch in read_packed(path)}


@pytest.mark.parametrize(
    "order", [[0, 2, 1, 3], *([place for place in range(4) if place != missing] for missing in range(3))]
)
def test_batch_that_was_taken_out_or_moved_is_noticed(path: Path, order: list[int]) -> None:
    """All that follow are whole, and none of them may be taken for a torn end."""
    records, error = read(path, b"".join(BATCHES[place] for place in order))
    right = next(count for count, place in enumerate(order) if count != place)
    assert records == RECORDS[: sum(SIZES[:right])]
    assert error is not None
    assert not isinstance(error, TornError)
    assert f"record {len(records) + 1}" in str(error)


@pytest.mark.parametrize("prefix", [b"\x93\xc4\x04", b"\x93\xc4\x04cccc\xc4\x20" + bytes(32) + b"\xc6\x00\x08\x00\x00"])
def test_work_to_search_a_damaged_tail_grows_with_its_bytes(
    path: Path, prefix: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beginnings of batches, one behind the other, each of which could be a long one."""
    checked, checksum = [0], journal_batches._checksum

    def counted(data: bytes) -> bytes:
        checked[0] += len(data)
        return checksum(data)

    monkeypatch.setattr(journal_batches, "_checksum", counted)
    tail = prefix * (100_000 // len(prefix))
    _, few = read(path, BATCHES[0] + tail)
    assert isinstance(few, TornError)
    assert checked[0] < 20 * len(tail)  # 17,000 times as many bytes where each beginning is checked to the end


@pytest.mark.parametrize("name", ["nothing", ".", "file/below"])
def test_a_file_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        JournalError, match=r"cannot read the journal .*: (No such file|Is a directory|Not a directory)"
    ):
        list(read_raw(tmp_path / name))


@pytest.mark.parametrize("room", [b"", bytes(4096)], ids=["closed", "of a killed dealer"])
def test_head_is_found_with_the_lines_of_the_page_about_decks(path: Path, room: bytes) -> None:
    path.write_bytes(WHOLE + room)
    names: dict[str, Any] = {}
    *_, program = (body for kind, body in blocks(page("protocol/docs/deck.md")) if kind == "python")
    exec(program, names)
    assert names["head_of_journal"](path) == HEADS[-1].hex()


@pytest.mark.parametrize("name", ["stud", "blockhead", "resumed", "suspended", "reunited", "hosted", "acpc"])
def test_bytes_are_those_of_msgpack(name: str, request: pytest.FixtureRequest) -> None:
    """So the bytes of a journal do not depend on which of two libraries wrote it."""
    for raw in request.getfixturevalue(name):
        assert pack_record(typed(raw)) == msgpack.packb(raw)


HAND = {
    "type": "hand", "table": 0, "hand": 1, "level": 1, "players": [0, 1], "stacks": [50, 50], "deck": bytes(52),
    "actions": [[0, 5, 10], [1, -1, None]], "faults": [[1, "late", "no reply"]], "pot": 2, "payoffs": [1, -1],
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"hand": 0}, "hand: expected a whole number >= 1, got 0"),
        ({"hand": 2**53 + 1}, "hand: expected a whole number <= 9007199254740992, got 9007199254740993"),
        ({"hand": True}, "hand: expected a whole number, got True"),
        ({"hand": 1.0}, "hand: expected a whole number, got 1.0"),
        ({"deck": "AAAA"}, "deck: expected bytes, got 'AAAA'"),
        ({"players": None}, "players: expected a list, got None"),
        ({"stacks": [50, "x"]}, "stacks[1]: expected a whole number, got 'x'"),
        ({"actions": [[0, 5]]}, "actions[0]: expected a list of length 3, got [0, 5]"),
        ({"actions": [[0, 5, 10], [1, -2, 5]]}, "actions[1][1]: expected a whole number >= -1, got -2"),
        ({"actions": [[0, 5, "x"]]}, "actions[0][2]: expected a whole number or nil, got 'x'"),
        ({"faults": [[0, "lazy", "x"]]}, "faults[0][1]: expected one of late, malformed, illegal, "),
        ({"recorded": 5}, "recorded: expected a map or nil, got 5"),
    ],
)
def test_a_wrong_field_of_a_hand_is_told_in_words(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match="expected") as error:
        typed({**HAND, **changes})
    assert str(error.value).startswith(told)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("seed", bytes(31), "seed: expected bytes of length >= 32, got "),
        ("seed", "A" * 44, "seed: expected bytes, got "),
        ("started", float("nan"), "started: expected a number >= 0.0, got nan"),
        ("limit", float("inf"), "limit: expected a number < 9007199254740992.0, got inf"),
        ("format", "knockout", "format: expected one of freezeout, "),
        ("version", 8, "this journal is of version 8, this program reads versions 6 and 7"),
        ("levels", "x", "levels: expected a whole number or a list or nil, got 'x'"),
        ("players", [{"id": "a"}], "players[0].avatar is missing"),
        (
            "origin",
            {"host": "h", "numbers": {"port": 70_000}},
            "origin.numbers[...]: expected a whole number <= 65535, got {'port': 70000}",
        ),
        ("origin", {"bots": ["tight"]}, "origin.commands is missing"),
        ("origin", 5, "origin: expected a map, got 5"),
    ],
)
def test_a_wrong_field_of_a_start_is_told_in_words(field: str, value: Any, told: str, stud: Records) -> None:
    start = deepcopy(stud[numbers(stud, "start")[0]])
    with pytest.raises(ValueError, match=r"expected|missing|version") as error:
        typed({**start, field: value})
    assert str(error.value).startswith(told)


def test_ports_of_an_earlier_dealer_are_one_map(stud: Records) -> None:
    start = deepcopy(stud[numbers(stud, "start")[0]])
    told = {"host": "::", "port": 4000, "line_port": None, "people_port": 4002, "people_limit": 60.0, "acpc_port": None}
    ports = OpenPorts("::", {"port": 4000, "people_port": 4002}, 60.0)
    assert typed_start({**start, "origin": told}).settings().origin == ports
    services = {"type": "services", "page_port": None, "open_cards": False, "desk": False, "feed_port": None}
    assert typed({**services, "ports": told}) == Services(ports, None, open_cards=False, desk=False, feed_port=None)


def test_a_field_that_is_there_twice_is_told_in_words() -> None:
    """The first time it is wrong, in a place that it does not have the second time."""
    once = {name: fact for name, fact in HAND.items() if name != "stacks"}
    twice = msgpack.packb("stacks") + msgpack.packb([5, "x"]) + msgpack.packb("stacks") + msgpack.packb([5])
    packed = bytes([0x80 + len(once) + 2]) + msgpack.packb(once)[1:] + twice
    with pytest.raises(ValueError, match=r"^stacks\[1\]: expected a whole number, got "):
        unpack_record(packed)


def test_a_map_with_a_number_for_a_key_is_told_in_words() -> None:
    with pytest.raises(ValueError, match="Expected `str`, got `int`"):
        typed({"type": "end", "standings": [{1: 2}]})


@pytest.mark.parametrize(
    "packed",
    [b"\x81\xa4type" * 2000 + b"\xc0", b"\x91" * 5000 + b"\xc0", b"\xdd\xff\xff\xff\xff", b"\x81\xa4type\xa2\xff\xff"],
    ids=["maps in maps", "lists in lists", "a list of four thousand million", "no UTF-8"],
)
def test_hostile_bytes_are_no_record(packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"^expected a record"):
        unpack_record(packed)
