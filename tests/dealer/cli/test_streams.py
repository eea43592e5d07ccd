"""What commands write: standard streams that are closed, full or read by nobody, progress, and lines of the log."""

import io
import os
import sys
from collections.abc import Iterator

import pytest
import structlog

from dealer.cli.logs import configure_logs
from dealer.cli.streams import WAITING_BYTES, StandardStream
from dealer.cli.tables import working_progress

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


# How far a command is, where no terminal can show a bar.


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def told(capsys: pytest.CaptureFixture[str], total: int, done: int, *steps: tuple[float, int]) -> list[str]:
    """What is told when so many parts are done, each after some seconds."""
    clock = Clock()
    with working_progress(total, done, clock) as tell:
        for seconds, now_done in steps:
            clock.now += seconds
            tell(now_done, "playing")
    out, err = capsys.readouterr()
    assert not out
    return err.splitlines()


def test_line_every_half_minute(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [(10.0, 10), (10.0, 20), (10.0, 30), (10.0, 40), (10.0, 50), (10.0, 60)]
    assert told(capsys, 100, 0, *steps) == [
        "casino: playing: 30% done, about 70 s left",
        "casino: playing: 60% done, about 40 s left",
    ]


def test_time_left_from_the_first_twentieth(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 1000, 0, (30.0, 50), (30.0, 100), (2000.0, 200), (33000.0, 300)) == [
        "casino: playing: 5% done",
        "casino: playing: 10% done, about 9 min left",
        "casino: playing: 20% done, about 2.3 h left",
        "casino: playing: 30% done, about 22.7 h left",
    ]


def test_what_was_done_before_says_nothing_of_the_speed(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 1000, 800, (30.0, 900)) == ["casino: playing: 90% done, about 30 s left"]


def test_short_work_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 10, 0, *[(2.9, done) for done in range(1, 11)]) == []


# What a log line shows of an exception: where it was raised, and no values of variables.


class Terminal(io.StringIO):
    """Standard error of a host."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def usual_logs() -> Iterator[None]:
    """Leave the logs of other tests as they were."""
    kept = structlog.get_config()
    yield
    structlog.configure(**kept)


@pytest.mark.usefixtures("usual_logs")
@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_traceback_shows_where_and_no_values(stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch) -> None:
    written = stream()
    monkeypatch.setattr(sys, "stderr", written)
    configure_logs("error")
    token = "of-the-desk"
    try:
        int(token.removesuffix("desk"))
    except ValueError:
        structlog.get_logger().exception("the page failed")
    assert "ValueError: invalid literal for int() with base 10: 'of-the-'" in written.getvalue()
    assert "test_streams.py" in written.getvalue()
    assert token not in written.getvalue()
    if stream is io.StringIO:
        assert written.getvalue().count("\n") == 1
