"""Standard streams that last: closed, full, or read by nobody."""

import os
from collections.abc import Iterator

import pytest

from dealer.cli.streams import WAITING_BYTES, StandardStream

Pipe = tuple[int, StandardStream]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """The end that reads, and a lasting stream that writes."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb", buffering=0) as raw:
        stream = StandardStream("standard output", raw)
        stream.lasting = True
        yield reading, stream
    try:
        os.close(reading)
    except OSError:
        assert stream.error is not None


class Refusing:
    """A full device, until there is room."""

    full = True
    written = b""

    def fileno(self) -> int:
        return 1

    def write(self, data: bytes) -> int:
        if self.full:
            raise OSError(28, "No space left on device")
        self.written += bytes(data)
        return len(data)


def refusing(monkeypatch: pytest.MonkeyPatch) -> tuple[Refusing, StandardStream, list[str]]:
    monkeypatch.setattr(StandardStream, "_is_ready", lambda self: True)
    raw, told = Refusing(), list[str]()
    stream = StandardStream("standard error", raw)
    stream.on_loss = told.append
    return raw, stream, told


def test_stream_that_does_not_last_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    _, stream, told = refusing(monkeypatch)
    with pytest.raises(OSError, match="No space left") as caught:
        stream.write(b"x")
    assert stream.error is caught.value
    assert told == []


def test_lost_output_is_told_once_and_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    raw, stream, told = refusing(monkeypatch)
    stream.lasting = True
    assert (stream.write(b"12"), stream.write(b"345")) == (2, 3)
    assert told == ["standard error cannot be written (No space left on device); the tournament goes on without it"]
    assert stream.trouble == "standard error cannot be written (No space left on device)"
    raw.full = False
    stream.write(b"after\n")
    assert raw.written == b"casino: 5 bytes are missing here: No space left on device\nafter\n"
    assert stream.trouble is None


def test_reader_that_is_gone_is_told(pipe: Pipe) -> None:
    reading, stream = pipe
    told = list[str]()
    stream.on_loss = told.append
    os.close(reading)
    stream.write(b"x")
    assert told == ["standard output cannot be written (Broken pipe); the tournament goes on without it"]


def test_reader_that_does_not_read_keeps_nobody_waiting(pipe: Pipe) -> None:
    reading, stream = pipe
    sent = bytes(range(256)) * 4096  # more than any pipe holds
    assert stream.write(sent) == len(sent)
    assert stream.waits
    read = b""
    while stream.waits:
        read += os.read(reading, 1 << 16)
        stream.push()
    os.close(stream.fileno())
    while data := os.read(reading, 1 << 16):
        read += data
    assert read == sent
    os.open(os.devnull, os.O_WRONLY)  # the fixture closes that number again


def test_output_that_waits_is_bounded(pipe: Pipe) -> None:
    _, stream = pipe
    stream.write(bytes(WAITING_BYTES))
    stream.write(bytes(1 << 18))
    assert stream.trouble == "standard output cannot be written (nobody reads it)"
    assert stream.lost == 1 << 18
