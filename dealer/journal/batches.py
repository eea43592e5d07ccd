"""The bytes of a journal: pack batches of records, and read them again.

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
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NamedTuple
from zlib import crc32

import msgpack
import msgspec

from dealer.errors import JournalError, RebuildError, TornError, UnreadableError
from dealer.journal.records import READ_VERSIONS, UNMARKED_VERSION, Record, unpack_record
from protocol.files import check_regular

#: The first bytes of a mark, before a number of bytes. Readers of records are not told it.
_MARK = b"\x82\xa4type\xa6forced\xa5bytes"

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


def pack_forced(size: int) -> bytes:
    """The bytes of a mark, with which a batch begins: the first ``size`` bytes of the journal are on the disk."""
    packed: bytes = msgpack.packb(size)
    return _MARK + packed


def pack_batch(records: bytes, head: bytes) -> tuple[bytes, bytes]:
    """The bytes of a batch, from the bytes of its records, and the head of the journal with it.

    Args:
        records: their bytes, one after the other.
        head: of the journal so far.
    """
    link = _link(head, records)
    return msgspec.msgpack.encode((_checksum(link), link, records)), link


def _link(head: bytes, records: bytes) -> bytes:
    return hashlib.sha256(head + records).digest()


def _checksum(link: bytes) -> bytes:
    """Recognizes the beginning of a whole batch where the link before it is not known."""
    return crc32(link).to_bytes(4, "big")


class PackedBatch(NamedTuple):
    """A whole batch of a journal.

    Attributes:
        records: the bytes of each record in it.
        end: bytes of the journal up to its end.
        head: of the journal up to there.
    """

    records: list[bytes]
    end: int
    head: bytes


class ReadBatch(NamedTuple):
    """The same batch, with its records read."""

    records: list[Record]
    end: int
    head: bytes


def read_journal(path: Path, tell_place: Callable[[int], object] = lambda _: None) -> Iterator[Record]:
    """Read the records of all whole batches.

    Args:
        path: of the journal.
        tell_place: called after every batch with the bytes read so far.

    Raises:
        RebuildError, TornError, JournalError: see ``read_batches``.
    """
    for batch in read_batches(path):
        yield from batch.records
        tell_place(batch.end)


def read_batches(path: Path) -> Iterator[ReadBatch]:
    """Read all whole batches, and the records in them.

    Raises:
        RebuildError: after the records before it, if one is of no known type or its fields do not have the right form.
        TornError, JournalError: see ``read_packed``.
    """
    count = 0
    for batch in read_packed(path):
        records: list[Record] = []
        for packed in batch.records:
            count += 1
            try:
                records.append(unpack_record(packed))
            except ValueError as error:
                if records:
                    yield ReadBatch(records, batch.end, batch.head)
                raise RebuildError(f"{path}: record {count}: {error}") from None
        yield ReadBatch(records, batch.end, batch.head)


def read_packed(path: Path) -> Iterator[PackedBatch]:
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
        raise _damage(path, rest, end, count, marked=start is not None and _has_marks(start))


def _batches(file: IO[bytes], begin: int, head: bytes) -> Iterator[PackedBatch]:
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
                    yield PackedBatch(_records(body), begin + unpacker.tell(), head)
                case _:
                    return
        except (ValueError, msgpack.UnpackException):  # also at the end of the file
            return


def _fits(checksum: bytes, link: bytes, body: bytes, head: bytes) -> bool:
    return link == _link(head, body) and checksum == _checksum(link)


def _records(body: bytes) -> list[bytes]:
    """The bytes of each record of a batch.

    Raises:
        ValueError: it holds something else.
    """
    unpacker = msgpack.Unpacker(max_buffer_size=0)
    unpacker.feed(body)
    records, begin = [], 0
    while begin < len(body):
        try:
            unpacker.skip()
        except msgpack.OutOfData:
            raise ValueError("no whole record at the end") from None
        end = unpacker.tell()
        if not body.startswith(_MARK, begin):
            records.append(body[begin:end])
        begin = end
    if not records:
        raise ValueError("no record")
    return records


def _has_marks(start: bytes) -> bool:
    """Whether there are marks in a journal, whose first record this is."""
    told = _unpacked(start)
    return not isinstance(told, dict) or told.get("version") != UNMARKED_VERSION


def _unpacked(packed: bytes) -> Any:
    """What these bytes hold, whatever it is; None if they cannot be read."""
    try:
        return msgpack.unpackb(packed, strict_map_key=False)
    except (ValueError, msgpack.UnpackException):
        return None


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
    # A crash can leave zeros where bytes were not written yet: behind the first bytes of a torn first batch, or in its
    # place.
    begun = tail[: len(_BEGINNING)].rstrip(b"\0")
    missing = not tail[:_PREFIX_BYTES].strip(b"\0")
    if whole == 0 and not missing and not (begun and _BEGINNING.startswith(begun)):
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
    if not body.startswith(_MARK):
        return 0
    unpacker = msgpack.Unpacker(max_buffer_size=0)
    unpacker.feed(body[len(_MARK) :])
    try:
        size = unpacker.unpack()
    except (ValueError, msgpack.UnpackException):
        return 0
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
        return all(isinstance(told := _unpacked(one), dict) and "type" in told for one in _records(body))
    except (ValueError, TypeError, msgpack.UnpackException):
        return False


def _older_version(data: bytes) -> int | None:
    """The version of a journal whose batches have no links; None if these bytes do not begin with one."""
    unpacker = msgpack.Unpacker(BytesIO(data), max_buffer_size=0)
    try:
        checksum, body = unpacker.unpack()
        if checksum == crc32(body):
            return 1
        version = _unpacked(_records(body)[0])["version"] if checksum == crc32(body).to_bytes(4, "big") else None
        return version if isinstance(version, int) else None
    except (ValueError, TypeError, LookupError, msgpack.UnpackException):
        return None
