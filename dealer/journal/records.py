"""The bytes of a journal: pack records and batches, and read them again.

A batch is one write: what was recorded since the one before, by one table or by several.

Batches form a *chain*: the link of each batch is the SHA-256 of the link before it and of its own records. So the last
link, the *head* of the journal, follows from every byte of every record. Who has written down the head finds out
whether a record was altered, added or cut off since, although anybody could compute the links of a forged file.

A batch that is not whole at the end of the file is *torn*, as after a crash while it was written; all before it counts.
A power cut can take any page of what was not forced to the disk, so that whole batches follow a torn one, and do not
count either. To tell that from a batch that was altered, the first batch after each force begins with a *mark*: how
many bytes were on the disk by then. A batch that is not whole, although a later mark says that it was on the disk, is
*damaged*, and the journal cannot be used. So is one before any other in a journal of version 6, which has no marks.

Zeros behind the last batch end the journal like the end of the file; a crash can leave them, and dealers that wrote
version 6 made room with them. They cannot be mistaken for a batch, since each begins with the byte 93 (hex).
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple
from zlib import crc32

import msgpack

from dealer.errors import JournalError, TornError, UnreadableError
from protocol.files import check_regular

#: Of the journals that this program writes.
VERSION = 7

#: In a journal of this version every batch was forced before the next was written, so there are no marks, and decks
#: were shuffled in the same way after a resumption as before.
_UNMARKED_VERSION = 6

#: Of the journals that this program reads.
READ_VERSIONS = (_UNMARKED_VERSION, VERSION)

#: The type of a mark. Readers of records are not told it.
_MARK = "forced"

#: Stands for a fold where an action has chips.
FOLDED = -1

#: The head of a journal without a batch, to which the first batch is chained.
NO_HEAD = bytes(32)

#: The first bytes of every batch: an array of three, whose first item has four bytes.
_BEGINNING = b"\x93\xc4\x04"

#: Bytes of a batch before the length of its body: its beginning, the checksum, and the link with a head of two bytes.
_PREFIX_BYTES = len(_BEGINNING) + 4 + 2 + len(NO_HEAD)

#: Bytes that are read from the file at a time.
_READ_BYTES = 1 << 20

#: A disk writes at least so many bytes at a time. No batch that is whole has so many zeros in a row.
_SECTOR_BYTES = 512

#: The fields of one record; ``type`` says which fields there are.
Record = Mapping[str, Any]


def pack_record(type_: str, facts: Mapping[str, Any]) -> bytes:
    """The bytes of one record."""
    packed: bytes = msgpack.packb({"type": type_, **facts})
    return packed


def pack_forced(size: int) -> bytes:
    """The bytes of a mark, with which a batch begins: the first ``size`` bytes of the journal are on the disk."""
    return pack_record(_MARK, {"bytes": size})


def pack_batch(records: bytes, head: bytes) -> tuple[bytes, bytes]:
    """The bytes of a batch, from the bytes of its records, and the head of the journal with it.

    Args:
        records: their bytes, one after the other.
        head: of the journal so far.
    """
    link = _link(head, records)
    packed: bytes = msgpack.packb([_checksum(link), link, records])
    return packed, link


def _link(head: bytes, records: bytes) -> bytes:
    return hashlib.sha256(head + records).digest()


def _checksum(link: bytes) -> bytes:
    """Recognizes the beginning of a whole batch where the link before it is not known."""
    return crc32(link).to_bytes(4, "big")


class ReadBatch(NamedTuple):
    """A whole batch of a journal.

    Attributes:
        records: in it.
        end: bytes of the journal up to its end.
        head: of the journal up to there.
    """

    records: list[Record]
    end: int
    head: bytes


def read_journal(path: Path, tell_place: Callable[[int], object] = lambda _: None) -> Iterator[Record]:
    """Read the records of all whole batches.

    Args:
        path: of the journal.
        tell_place: called after every batch with the bytes read so far.

    Raises:
        TornError, JournalError: see ``read_batches``.
    """
    for batch in read_batches(path):
        yield from batch.records
        tell_place(batch.end)


def read_batches(path: Path) -> Iterator[ReadBatch]:
    """Read all whole batches.

    Raises:
        TornError: after the last whole batch, if there are bytes after it that are not all zeros.
        UnreadableError: the file cannot be read.
        JournalError: it was altered or damaged before its last batch; the text says where.
    """
    end, count, head, start = 0, 0, NO_HEAD, None
    try:
        check_regular(path)
        with path.open("rb") as file:
            for batch in _batches(file, end, head):
                yield batch
                end, head = batch.end, batch.head
                start = start or batch.records[0]
                count += len(batch.records)
            file.seek(end)
            tail = file.read()
    except OSError as error:
        raise UnreadableError(f"cannot read the journal {path}: {error.strerror}") from None
    begin = end
    for batch in _batches(BytesIO(tail), end, head):  # those that a dealer has written meanwhile
        yield batch
        end = batch.end
        start = start or batch.records[0]
        count += len(batch.records)
    rest = tail[end - begin :]
    if rest.strip(b"\0"):
        marked = start is not None and start.get("version") != _UNMARKED_VERSION
        raise _damage(path, rest, end, count, marked=marked)


def _batches(file: IO[bytes], begin: int, head: bytes) -> Iterator[ReadBatch]:
    """The batches before the first that is not whole, or that is not chained to the one before it.

    Args:
        file: the journal from its byte ``begin`` on.
        begin: bytes of the journal before those.
        head: of the journal up to there.
    """
    unpacker = msgpack.Unpacker(file, read_size=_READ_BYTES)
    while True:
        try:
            match unpacker.unpack():
                case [bytes(checksum), bytes(link), bytes(body)] if _fits(checksum, link, body, head):
                    head = link
                    yield ReadBatch(_records(body), begin + unpacker.tell(), head)
                case _:
                    return
        except (ValueError, msgpack.UnpackException):  # also at the end of the file
            return


def _fits(checksum: bytes, link: bytes, body: bytes, head: bytes) -> bool:
    return link == _link(head, body) and checksum == _checksum(link)


def _records(body: bytes) -> list[Record]:
    """The records of a batch.

    Raises:
        ValueError: it holds something else.
    """
    unpacker = msgpack.Unpacker(max_buffer_size=0)
    unpacker.feed(body)
    records, whole = [], 0
    for record in unpacker:
        if not _is_mark(record):
            records.append(record)
        whole = unpacker.tell()
    if whole < len(body) or not records:
        raise ValueError("no whole record at the end")
    return records


def _is_mark(record: Any) -> bool:
    return isinstance(record, dict) and record.get("type") == _MARK


def _damage(path: Path, tail: bytes, whole: int, count: int, *, marked: bool) -> JournalError:
    """The error for what follows the first ``whole`` bytes and is no batch: torn, or damaged.

    Args:
        path: of the journal.
        tail: what follows.
        whole: bytes before that.
        count: records before that.
        marked: whether there are marks in this journal, and the start is whole, which is on the disk before all else.
    """
    behind = list(_batches_behind(tail))
    if behind and (not marked or any(_marked_at(body) > whole for _, body in behind)):
        return JournalError(
            f"{path}: record {count + 1} is damaged or altered, at byte {whole}, and whole ones follow at byte "
            f"{whole + behind[0][0]}"
        )
    if _is_sound(tail):
        return JournalError(
            f"{path}: record {count + 1}, at byte {whole}, does not follow from the one before it: it was altered, or "
            f"the one before it is missing; the first {whole} bytes are sound"
        )
    # A crash can leave zeros where bytes were not written yet, so a file of a torn first batch may begin with zeros.
    begun = tail[: len(_BEGINNING)].rstrip(b"\0")
    if whole == 0 and not (begun and _BEGINNING.startswith(begun)):
        version = _older_version(tail)
        if version is not None:
            return JournalError(
                f"{path}: this journal is of version {version}, this program reads versions "
                f"{' and '.join(map(str, READ_VERSIONS))}"
            )
        return JournalError(f"{path} is no journal")
    return TornError(path, whole, len(tail.rstrip(b"\0")))


def _batches_behind(tail: bytes) -> Iterator[tuple[int, bytes]]:
    """The place and the body of each batch behind the beginning of ``tail`` that is there to its end.

    Only the checksum of its link is checked, so that the time does not grow with the square of the bytes.
    """
    place = tail.find(_BEGINNING, 1)
    while place >= 0:
        checksum, link = tail[place + 3 : place + 7], tail[place + 9 : place + _PREFIX_BYTES]
        body = _body_of(tail, place) if checksum == _checksum(link) else None
        if body is not None:
            yield place, body
        place = tail.find(_BEGINNING, place + (1 if body is None else _PREFIX_BYTES + len(body)))


def _body_of(tail: bytes, place: int) -> bytes | None:
    """The body of the batch that begins at ``place``; None if it does not end within ``tail``."""
    body = place + _PREFIX_BYTES
    # A byte string of MessagePack begins with how many bytes its length has: one, two or four.
    size = {b"\xc4": 1, b"\xc5": 2, b"\xc6": 4}.get(tail[body : body + 1])
    if size is None:
        return None
    begin = body + 1 + size
    end = begin + int.from_bytes(tail[body + 1 : begin], "big")
    return tail[begin:end] if end <= len(tail) else None


def _marked_at(body: bytes) -> int:
    """The bytes that were on the disk before a batch, by the mark with which its body begins; 0 without one."""
    unpacker = msgpack.Unpacker(max_buffer_size=0)
    unpacker.feed(body)
    try:
        mark = unpacker.unpack()
    except (ValueError, msgpack.UnpackException):
        return 0
    size = mark.get("bytes") if _is_mark(mark) else None
    return size if isinstance(size, int) else 0


def _is_sound(tail: bytes) -> bool:
    """Whether ``tail`` begins with a batch with records in it, which a crash did not tear.

    After a crash, zeros can stand where a part of a batch was not written yet: its last bytes, or whole sectors.
    """
    unpacker = msgpack.Unpacker(BytesIO(tail), max_buffer_size=0)
    try:
        _, _, body = unpacker.unpack()
        batch = tail[: unpacker.tell()]
        if batch.endswith(b"\0") or bytes(_SECTOR_BYTES) in batch:
            return False
        return all(isinstance(record, dict) and "type" in record for record in _records(body))
    except (ValueError, TypeError, msgpack.UnpackException):
        return False


def _older_version(data: bytes) -> int | None:
    """The version of a journal whose batches have no links; None if these bytes do not begin with one."""
    unpacker = msgpack.Unpacker(BytesIO(data), max_buffer_size=0)
    try:
        checksum, body = unpacker.unpack()
        if checksum == crc32(body):
            return 1
        version = _records(body)[0]["version"] if checksum == crc32(body).to_bytes(4, "big") else None
        return version if isinstance(version, int) else None
    except (ValueError, TypeError, LookupError, msgpack.UnpackException):
        return None
