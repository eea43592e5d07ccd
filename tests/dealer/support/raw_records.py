"""The records of a journal as MessagePack holds them, whatever they are: maps of their fields.

What may be recorded at any time, by chance, can be left out: how a program closed its connection is recorded when it
has, also behind the end; and a busy machine lets the dealer stand still.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgpack
from msgspec.structs import fields

from dealer.journal.batches import NO_HEAD, pack_batch, pack_forced, read_packed
from dealer.journal.records import TYPES, Record, StartRecord, unpack_record
from protocol.events import HostSaid

#: The fields that each type of record must have.
FIELDS: Mapping[str, Sequence[str]] = {
    type_: [field.name for field in fields(record) if field.required] for type_, record in TYPES.items()
}

#: Types of records that concern the host alone.
FOR_THE_HOST = frozenset({"refused", "services", "closed"})


def read_raw(path: Path, tell_place: Callable[[int], object] = lambda _: None) -> Iterator[dict[str, Any]]:
    """All records in whole batches; the places behind those are told.

    Raises:
        TornError, JournalError: see ``read_packed``.
    """
    for batch in read_packed(path):
        yield from map(msgpack.unpackb, batch.records)
        tell_place(batch.end)


def pack_raw(type_: str, facts: dict[str, Any]) -> bytes:
    """The bytes of a record, which may be wrong."""
    packed: bytes = msgpack.packb({"type": type_, **facts})
    return packed


def typed(raw: dict[str, Any]) -> Record:
    """The same record as a reader of journals is told it."""
    return unpack_record(msgpack.packb(raw))


def typed_start(raw: dict[str, Any]) -> StartRecord:
    start = typed(raw)
    assert isinstance(start, StartRecord)
    return start


def named(name: str) -> HostSaid:
    """A record that can be told from others."""
    return HostSaid("message", None, None, name)


def name_of(record: Record) -> str:
    assert isinstance(record, HostSaid)
    assert record.reason is not None
    return record.reason


def chained(batches: Iterable[bytes]) -> list[bytes]:
    """The bytes of each batch, from the bytes of its records, each chained to the one before it.

    Each batch was forced before the next was written, and says so.
    """
    head, packed, size = NO_HEAD, [], 0
    for records in batches:
        batch, head = pack_batch((pack_forced(size) if size else b"") + records, head)
        packed.append(batch)
        size += len(batch)
    return packed


def without_closings(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["type"] != "closed"]


def play_of(journal: Path) -> list[dict[str, Any]]:
    """The records of a journal but ``closed`` and ``stall``: the last one of a finished tournament is its ``end``.

    Raises:
        TornError, JournalError: see ``read_packed``.
    """
    return [record for record in without_closings(read_raw(journal)) if record["type"] != "stall"]
