"""The journal: an append-only file of all that is needed to play a tournament again.

Each record is one MessagePack array ``[crc32 of body, body]``, and the body is a MessagePack map whose ``type``
says what it tells. A record is written in one go, so a dealer that dies leaves at most one torn
record, at the end, and the checksum tells.

    start   version, game and what is agreed about it (hands, stack, ante ...), seed, games, limit, lives,
            table_size; players: id, avatar, program
    game    table, game, hand: a new game with equal stacks begins with that hand
    hand    table, hand, players, stacks before the hand, actions, faults, payoffs
    out     player (index), hand, reason
    end     standings

An action is ``[seat, chips put in now, microseconds until the reply]``; a fold is -1 chips, and a hand that
a fault folded has no reply time (nil). A fault is ``[seat, kind, reason]``. The deck of a hand follows from seed,
table and hand number (``protocol.shuffle``).
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self
from zlib import crc32

import msgpack

VERSION = 1
FOLDED = -1


class JournalError(Exception):
    """A journal that cannot be written or read; the text names the file and what to do."""


class Journal:
    """An open journal, used as a context manager. Records are in the operating system's hands when ``record`` returns.

    Raises:
        JournalError: the file exists already or cannot be made.
    """

    def __init__(self, path: Path | None) -> None:
        self._file: int | None = None
        if path is None:
            return
        try:
            # Hole cards are in it: nobody else may read it.
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        except FileExistsError:
            raise JournalError(f"{path} exists already; a journal is never overwritten, choose another name") from None
        except OSError as error:
            raise JournalError(f"cannot write the journal {path}: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            os.close(self._file)

    def record(self, type_: str, **facts: Any) -> None:
        """Append one record.

        Raises:
            JournalError: the file system refused it, for instance because the disk is full.
        """
        if self._file is None:
            return
        body = msgpack.packb({"type": type_, **facts})
        data = msgpack.packb([crc32(body), body])
        try:
            written = os.write(self._file, data)
        except OSError as error:
            raise JournalError(f"cannot write to the journal: {error.strerror}") from None
        if written < len(data):
            raise JournalError("cannot write to the journal: the disk is full")


def read_journal(path: Path) -> Iterator[Mapping[str, Any]]:
    """The bodies of all whole records.

    Raises:
        JournalError: the file cannot be read, or a record is torn or altered; the text says which.
    """
    try:
        with path.open("rb") as file:
            unpacker, end = msgpack.Unpacker(file), 0
            for number, entry in enumerate(unpacker, 1):
                match entry:
                    case [int(checksum), bytes(body)] if checksum == crc32(body):
                        yield msgpack.unpackb(body)
                    case _:
                        raise JournalError(f"{path}: record {number} is damaged")
                end = unpacker.tell()  # after half a record it would tell of bytes in the middle of that
            if end != file.tell():
                raise JournalError(f"{path}: the last record is torn")
    except OSError as error:
        raise JournalError(f"cannot read the journal {path}: {error.strerror}") from None
    except (ValueError, msgpack.UnpackException) as error:
        raise JournalError(f"{path} is damaged, or no journal: {error}") from None
