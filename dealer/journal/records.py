"""The bytes of a journal: pack records and batches, and read them again.

A batch that is not whole at the end of the file is *torn*, as after a crash while it was written; all before it counts.
A batch that is not whole anywhere else is *damaged*, and the journal cannot be used.
"""

from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, Any
from zlib import crc32

import msgpack

from dealer.errors import JournalError, TornError

#: Of the journals that this program writes, and the only one that it reads.
VERSION = 4

#: Stands for a fold where an action has chips.
FOLDED = -1

#: The first bytes of every batch: an array of two, whose first item has four bytes.
_HEAD = b"\x92\xc4\x04"

#: Bytes that are read from the file at a time.
_READ_BYTES = 1 << 20

#: The fields of one record; ``type`` says which fields there are.
Record = Mapping[str, Any]


def pack_record(type_: str, facts: Mapping[str, Any]) -> bytes:
    """The bytes of one record."""
    packed: bytes = msgpack.packb({"type": type_, **facts})
    return packed


def pack_batch(records: bytes) -> bytes:
    """The bytes of a batch, from the bytes of its records."""
    packed: bytes = msgpack.packb([crc32(records).to_bytes(4, "big"), records])
    return packed


def read_journal(path: Path, tell_place: Callable[[int], object] = lambda _: None) -> Iterator[Record]:
    """Read the records of all whole batches.

    Args:
        path: of the journal.
        tell_place: called after every batch with the bytes read so far.

    Raises:
        TornError: after the last whole record, if there are bytes after it.
        JournalError: the file cannot be read, or is damaged before its last batch; the text says where.
    """
    try:
        with path.open("rb") as file:
            end = 0
            count = 0
            for records, end in _batches(file):
                yield from records
                tell_place(end)
                count += len(records)
            torn = file.seek(0, 2) - end
            if torn:
                raise _damage(path, file, end, torn, count)
    except OSError as error:
        raise JournalError(f"cannot read the journal {path}: {error.strerror}") from None


def _batches(file: IO[bytes]) -> Iterator[tuple[list[Record], int]]:
    """The records of each batch before the first that is not whole, and the bytes read up to its end."""
    unpacker = msgpack.Unpacker(file, read_size=_READ_BYTES)
    while True:
        try:
            match unpacker.unpack():
                case [bytes(checksum), bytes(body)] if checksum == crc32(body).to_bytes(4, "big"):
                    yield _records(body), unpacker.tell()
                case _:
                    return
        except (ValueError, msgpack.UnpackException):  # also at the end of the file
            return


def _records(body: bytes) -> list[Record]:
    """The records of a batch.

    Raises:
        ValueError: it holds something else.
    """
    unpacker = msgpack.Unpacker(max_buffer_size=0)
    unpacker.feed(body)
    records, whole = [], 0
    for record in unpacker:
        records.append(record)
        whole = unpacker.tell()
    if whole < len(body):
        raise ValueError("half a record behind the last one")
    return records


def _damage(path: Path, file: IO[bytes], whole: int, torn: int, count: int) -> JournalError:
    """The error for bytes after the first ``whole`` that are no batch: torn, or damaged if a whole batch follows."""
    file.seek(whole)
    tail = file.read()
    place = tail.find(_HEAD, 1)
    while place >= 0:
        file.seek(whole + place)
        if next(_batches(file), None) is not None:
            return JournalError(
                f"{path}: record {count + 1} is damaged, at byte {whole}, and whole ones follow at byte {whole + place}"
            )
        place = tail.find(_HEAD, place + 1)
    # A crash can leave zeros where bytes were not written yet, so a file of a torn first batch may begin with zeros.
    begun = tail[: len(_HEAD)].rstrip(b"\0")
    if whole == 0 and not (begun and _HEAD.startswith(begun)) and tail.strip(b"\0"):
        if _is_first_version(tail):
            return JournalError(f"{path}: this journal is of version 1, this program reads version {VERSION}")
        return JournalError(f"{path} is no journal")
    return TornError(path, whole, torn)


def _is_first_version(data: bytes) -> bool:
    """Whether these bytes begin with a record of a journal of version 1, whose checksums were numbers."""
    unpacker = msgpack.Unpacker(BytesIO(data))
    try:
        checksum, body = unpacker.unpack()
        return bool(checksum == crc32(body))
    except (ValueError, TypeError, msgpack.UnpackException):
        return False
