"""Records are read as types, and what is wrong with one is told in words."""

from copy import deepcopy
from typing import Any

import msgpack
import pytest

from dealer.journal.records import pack_record, unpack_record
from tests.dealer.support.altered_journals import Records, numbers
from tests.dealer.support.raw_records import typed


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
        ("origin", {"host": "h", "port": 70_000}, "origin.port: expected a whole number <= 65535, got 70000"),
        ("origin", {"bots": ["tight"]}, "origin.commands is missing"),
        ("origin", 5, "origin: expected a map, got 5"),
    ],
)
def test_a_wrong_field_of_a_start_is_told_in_words(field: str, value: Any, told: str, stud: Records) -> None:
    start = deepcopy(stud[numbers(stud, "start")[0]])
    with pytest.raises(ValueError, match=r"expected|missing|version") as error:
        typed({**start, field: value})
    assert str(error.value).startswith(told)


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
