"""Standard output and standard error that a tournament survives: they may be closed, full, or read by nobody.

Every command writes through a ``StandardStream``. While a tournament is hosted its streams are *lasting*: a write then
neither raises nor waits. What cannot be written now waits in memory, and what the system refuses is counted as lost and
told on the other stream. Otherwise a write raises its error as usual, and the command ends.
"""

import io
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

#: Bytes that wait, at most, for a reader that does not read.
WAITING_BYTES = 16 << 20

#: Bytes of one write of a lasting stream. A pipe that is ready takes that many at once, so the write cannot block.
PIECE_BYTES = getattr(select, "PIPE_BUF", 512)


class StandardStream(io.RawIOBase):
    """The bytes of standard output or standard error.

    Attributes:
        lasting: whether a write neither raises nor waits.
        needs_reader: whether a write raises when the reader of a pipe has ended. If not, nothing more is written.
        on_loss: called with a sentence when the first bytes are lost, and not again before a write has succeeded.
        error: why bytes were last lost, or the last error that was raised; None before there is one.
        lost: bytes lost since the last write that succeeded.
    """

    def __init__(self, name: str, raw: Any) -> None:
        self.name = name
        self.lasting = False
        self.needs_reader = True
        self.on_loss: Callable[[str], None] = lambda _: None
        self.error: OSError | None = None
        self.lost = 0
        self._raw = raw
        self._waiting = bytearray()

    @property
    def waits(self) -> bool:
        """Whether bytes wait for a reader."""
        return bool(self._waiting)

    @property
    def trouble(self) -> str | None:
        """Why the stream takes nothing now, in words; None if it does."""
        return f"{self.name} cannot be written ({_reason(self.error)})" if self.lost else None

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return bool(self._raw.isatty())

    def fileno(self) -> int:
        return int(self._raw.fileno())

    def write(self, data: Any) -> int:
        """Write all of ``data``, now or as soon as the reader takes it.

        Raises:
            OSError: the stream is not lasting, and the system refuses the bytes.
        """
        held = bytes(data)
        if not self.lasting:
            return self._write_at_once(held)
        if len(self._waiting) + len(held) > WAITING_BYTES:
            self._lose(len(held), None)
        else:
            self._waiting += held
        self.push()
        return len(held)

    def push(self) -> None:
        """Write as much of what waits as the reader takes now."""
        try:
            if self.lost and self._waiting and self._is_ready():
                self._raw.write(f"casino: {self.lost} bytes are missing here: {_reason(self.error)}\n".encode())
                self.lost = 0
            while self._waiting and self._is_ready():
                count = self._raw.write(self._waiting[:PIECE_BYTES])
                del self._waiting[: count or 0]
        except OSError as error:
            count = len(self._waiting)
            self._waiting.clear()
            self._lose(count, error)

    def drop(self) -> None:
        """Give up what waits: nobody reads it."""
        count = len(self._waiting)
        self._waiting.clear()
        if count:
            self._lose(count, None)

    def _write_at_once(self, data: bytes) -> int:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._raw.write(rest) or 0 :]
        except OSError as error:
            self.error = error
            if self.needs_reader or not isinstance(error, BrokenPipeError):
                raise
        return len(data)

    def _lose(self, count: int, error: OSError | None) -> None:
        first = not self.lost
        self.lost += count
        self.error = error
        if first:
            self.on_loss(f"{self.name} cannot be written ({_reason(error)}); the tournament goes on without it")

    def _is_ready(self) -> bool:
        if not hasattr(select, "poll"):  # Windows; there a reader that does not read is waited for
            return True
        poll = select.poll()
        poll.register(self.fileno(), select.POLLOUT)
        return bool(poll.poll(0))


def _reason(error: OSError | None) -> str:
    return "nobody reads it" if error is None else (error.strerror or str(error))


def fill_descriptors() -> None:
    """Open the null device in place of standard streams that were closed when this process started.

    Otherwise the next file or socket gets the number of a standard stream: the journal would be written to by whatever
    writes to standard error, and the lobby would read keys from a connection.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number


def open_standard_streams() -> None:
    """Have standard output and standard error written through a ``StandardStream``.

    Characters that the terminal cannot show become question marks: a name must not end a tournament.
    """
    fill_descriptors()
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 - stays open as long as the process
    sys.stdout = _wrapped("standard output", sys.stdout, 1)
    sys.stderr = _wrapped("standard error", sys.stderr, 2)


def _wrapped(name: str, stream: TextIO | None, descriptor: int) -> TextIO:
    if stream is None:
        stream = open(descriptor, "w", closefd=False)  # noqa: SIM115 - stays open as long as the process
    if not isinstance(stream, io.TextIOWrapper):  # something of a test or of an embedding program
        return stream
    stream.flush()
    binary = stream.buffer
    raw = StandardStream(name, getattr(binary, "raw", binary))
    wrapped = io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors="replace",
        # With PYTHONUNBUFFERED, as in containers, standard error has no buffered lines of its own.
        line_buffering=stream.line_buffering or descriptor == 2,
        write_through=stream.write_through,
    )
    _kept.append(stream)
    return wrapped


#: The interpreter's own streams. They would close their descriptors if they were collected.
_kept: list[TextIO] = []


def standard_stream(stream: TextIO) -> StandardStream | None:
    """The ``StandardStream`` through which a text stream writes; None if it writes another way."""
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    return raw if isinstance(raw, StandardStream) else None


def standard_streams() -> list[StandardStream]:
    """Those of standard output and standard error."""
    return [raw for raw in map(standard_stream, (sys.stdout, sys.stderr)) if raw is not None]


@contextmanager
def lasting_streams(*, only_results: bool) -> Iterator[None]:
    """Let nothing that happens to standard output and standard error end the block, or keep it waiting.

    Args:
        only_results: whether standard output takes only the results, so that no trouble is told there.
    """
    out, err = map(standard_stream, (sys.stdout, sys.stderr))
    if out is None or err is None:
        yield
        return
    out.on_loss = lambda text: _tell(err, text)
    if not only_results:
        err.on_loss = lambda text: _tell(out, text)
    out.lasting = err.lasting = True
    try:
        yield
    finally:
        out.lasting = err.lasting = False


def _tell(stream: StandardStream, text: str) -> None:
    if not stream.lost:  # else there is nobody to tell
        stream.write(f"casino: {text}\n".encode())


def output_trouble() -> str | None:
    """Why standard output or standard error takes nothing now, in words; None if both do."""
    return " and ".join(raw.trouble for raw in standard_streams() if raw.trouble) or None
