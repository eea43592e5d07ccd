"""Anything at all in place of anything in a journal: named by its record, or of no consequence, and never a riddle."""

from collections.abc import Callable
from copy import deepcopy
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.errors import RebuildError
from dealer.journal.records import READ_VERSIONS
from tests.dealer.support.altered_journals import Records, numbers, verdict
from tests.dealer.support.raw_records import FIELDS
from tests.dealer.support.recorded import facts, rebuilt, write_records

WRONG: list[Any] = [None, True, -1, -2, 1.5, float("nan"), 2**64 - 1, "x", b"x", [], [[]], [None], {}, {"kind": 1}]


@pytest.mark.parametrize(
    ("type_", "field"),
    # A wrong version has an error of its own.
    [(type_, field) for type_, fields in FIELDS.items() for field in fields if field != "version"],
)
def test_every_field_of_every_record_is_checked(type_: str, field: str, folder: Path, journals: list[Records]) -> None:
    journal = next(records for records in journals if numbers(records, type_))
    number = numbers(journal, type_)[0]
    records = deepcopy(journal)
    del records[number][field]
    assert verdict(folder, records) == f"record {number + 1}: {field} is missing"
    refused = 0
    for wrong in WRONG:
        records[number][field] = wrong
        found = verdict(folder, records)
        refused += (found or "").startswith(f"record {number + 1}: {field}")
    assert refused >= 5


@pytest.mark.parametrize("type_", [None, 5, "hands", "", b"hand", ["hand"], "x" * 10**4])
def test_an_unknown_type_of_record_is_named(type_: Any, folder: Path, stud: Records) -> None:
    path = folder / "altered.journal"
    write_records(path, [*stud[:2], {"type": type_, "table": 0}])
    with pytest.raises(
        RebuildError, match=r"record 3: expected a record of a type from start, round, .*; got "
    ) as told:
        rebuilt(path)
    assert len(str(told.value)) < 300 + len(str(path))


@pytest.mark.parametrize("other", [5, None, "text", [1, 2], True])
def test_what_is_no_record_is_named(other: Any, folder: Path, stud: Records) -> None:
    path = folder / "altered.journal"
    write_records(path, [*stud[:2], other])
    with pytest.raises(RebuildError, match=r"record 3: expected a record, got "):
        rebuilt(path)


@pytest.fixture(scope="session")
def journal_of(request: pytest.FixtureRequest) -> Callable[[str], Records]:
    """A journal by its name. Hypothesis prints arguments, and journals would be too long for that."""
    return request.getfixturevalue


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 60) | st.integers(-(2**63), 2**64 - 1) | st.floats()
    | st.text(max_size=4) | st.binary(max_size=4) | st.sampled_from(["late", "gone", "stud", "hand", "end", bytes(32)]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip

#: What only the dealer knew: how long a player thought, how high a bet was that nobody called.
FREE = {
    "start": (
        "started hands limit lives games duplicate table_size seed_text rejoin secrets origin players.*.proof "
        "players.*.acpc levels acpc_terms rounds"
    ),
    "desk": "command seconds reason player",
    "hand": "actions.*.1 actions.*.2",
    "resume": "started cut",
    "services": "ports page_port open_cards desk feed_port",
    "refused": "time address port kind reason id sent",
    "stall": "seconds",
    "closed": "in_time player",
    "away": "hand player",
    "back": "hand player",
    "end": "standings.*.reply_p50 standings.*.reply_p99",
}


def is_free(type_: str, place: tuple[Any, ...]) -> bool:
    """Whether no other record tells what is there."""
    dotted = ".".join(str(step) for step in place)
    return any(fnmatch(dotted, free) or fnmatch(dotted, f"{free}.*") for free in FREE.get(type_, "").split())


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to everything inside a value."""
    inner: list[tuple[Any, ...]] = []
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            inner += places(part, (*place, key))
    return [place, *inner] if place else inner


def altered(records: Records, number: int, place: tuple[Any, ...], new: Any) -> tuple[Any, Records]:
    """What stood at a place of a record, and the records with something else there; ``DELETED`` for nothing."""
    *way, key = place
    records = [*records[:number], deepcopy(records[number]), *records[number + 1 :]]
    holder: Any = records[number]
    for step in way:
        holder = holder[step]
    old = holder[key]
    if new is DELETED:
        del holder[key]
    else:
        holder[key] = new
    return old, records


DELETED = object()

NEAR: list[Any] = [True, False, None, 0, 1, 2, 0.0, "x", [], {}, DELETED]


@pytest.mark.parametrize("name", ["stud", "blockhead", "hosted", "acpc"])
@pytest.mark.parametrize("type_", ["start", "end"])
def test_settings_and_standings_can_hardly_be_altered(
    name: str, type_: str, folder: Path, journal_of: Callable[[str], Records]
) -> None:
    records = journal_of(name)
    number = numbers(records, type_)[0]
    for place in places(records[number]):
        if is_free(type_, place) or any(type(step) is int and step > 1 for step in place):
            continue  # two players stand for all
        for new in NEAR:
            old, others = altered(records, number, place, new)
            if repr(old) != repr(new):
                found = verdict(folder, others)
                assert found is not None, (place, old, new)


@given(data=st.data())
def test_any_altered_journal_is_right_or_named_wrong(
    data: st.DataObject, folder: Path, journal_of: Callable[[str], Records]
) -> None:
    names = ["acpc", "blockhead", "hosted", "resumed", "reunited", "stud"]
    records = deepcopy(journal_of(data.draw(st.sampled_from(names), label="journal")))
    type_ = data.draw(st.sampled_from(sorted({told["type"] for told in records})), label="type")
    number = data.draw(st.sampled_from(numbers(records, type_)), label="record")
    *way, key = data.draw(st.sampled_from(places(records[number])), label="place")
    holder: Any = records[number]
    for step in way:
        holder = holder[step]
    before = deepcopy(records[number])
    if data.draw(st.integers(0, 4)) == 0:
        del holder[key]
    else:
        old = holder[key]
        near = st.integers(old - 2, old + 2) if type(old) is int else st.nothing()
        holder[key] = data.draw(near | VALUES, label="value")
    found = verdict(folder, records)
    if found is None and type_ == "out" and key == "reason" and before["kind"] is None:
        return  # a player who sits down again in the next round: no record repeats why it was out in this one
    if found is None and key == "version" and holder.get(key) in READ_VERSIONS:
        return  # that of an older dealer, whose journals are the same up to a resumption
    if found is None and repr(before) != repr(records[number]):
        assert is_free(type_, (*way, key)), (type_, way, key)


@given(data=st.data())
def test_an_altered_action_is_named_or_moves_no_chip(
    data: st.DataObject, folder: Path, journal_of: Callable[[str], Records]
) -> None:
    """The size of an uncalled bet may be altered unnoticed: the bettor gets it back anyway."""
    stud = journal_of("stud")
    records = deepcopy(stud)
    number = data.draw(st.sampled_from(numbers(records, "hand")), label="record")
    place = data.draw(st.integers(0, len(records[number]["actions"]) - 1), label="action")
    part = data.draw(st.integers(0, 2), label="part")
    action = records[number]["actions"][place]
    before, action[part] = action[part], data.draw(st.integers(-1, 70) | st.none(), label="value")
    found = verdict(folder, records)
    if found is not None:
        return
    assert part == 2 or before == action[part] or (part == 1 and min(before, action[1]) >= 0)
    assert (before is None) == (action[part] is None)
    path = folder / "right.journal"
    write_records(path, stud)
    assert facts(rebuilt(folder / "altered.journal").ledger) == facts(rebuilt(path).ledger)
