"""Transcripts: the messages of both sides of a connection, one a line, to be read by people and judged again.

    -- how it talks
    dealer:  login
    you:     StephenCurry:Steph      0.512 ms
    dealer:  bet1:499:4:0:2C:AH:up:AH:KH:QH:JH
    you:     bet:10                  0.204 ms
    bytes:   00 04 6f 6b 61 79
    dealer:  done:you have 509 chips
    closed:  1.021 ms

``dealer:`` is a message the program was sent, ``you:`` one of its own with the milliseconds since the last message
to it. ``bytes:`` are bytes of the program in hexadecimal digits, where text would not show them exactly. ``closed:``
says that the program ended the connection. ``--`` and every other line are remarks; some of a check name mistakes that
no message shows, such as an exit code. Each ``login`` begins another connection. A report writes the same format
without ``bytes:`` and ``closed:``, which a journal does not record, and names faults after ``--``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dealer.checker.session.wire_log import Entry, Kind
from dealer.errors import TranscriptError
from protocol.files import read_bytes

HEADING = """\
What passed between `casino check` and a program: dealer: what the program was sent, you: what it replied, with the
milliseconds since the last message to it. `casino check --transcript` judges this file again.
"""

#: The remark that the program spoke to a port for lines of text.
LINES_PORT = "-- the port was one for lines of text"

#: The remarks of a check that name mistakes; the first and the second are followed by a number.
OPENED, EXIT_CODE = "connections opened at once:", "it ended with exit code"
RUNNING = "it still ran some time after it had closed its socket"

#: The remark that a check goes on with another connection of the same program, which begins with another login.
MOVED = "from here on, on the connection that was opened last"


def create_transcript(path: Path) -> None:
    """Create the file before anything is played, so that nothing is played in vain.

    Raises:
        TranscriptError: it exists already, or cannot be created.
    """
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise TranscriptError(f"{path} exists already; name a new file") from None
    except OSError as error:
        raise TranscriptError(f"cannot write {path}: {error.strerror}") from None


def write_transcript(path: Path, tapes: Iterable[tuple[str, Sequence[Entry]]], lines_port: bool) -> None:
    """Write connections to a file, each with the part it was for; ``lines_port`` if they were for lines of text.

    Raises:
        TranscriptError: the file cannot be written.
    """
    lines = [HEADING + (f"\n{LINES_PORT}" if lines_port else "")]
    for name, tape in tapes:
        lines += ["", f"-- {name}", *map(_line, tape)]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise TranscriptError(f"cannot write {path}: {error.strerror}") from None


def _line(entry: Entry) -> str:
    if entry.kind is Kind.NOTE:
        return f"-- {entry.text}"
    time = "" if entry.seconds is None else f"{1000 * entry.seconds:.3f} ms"
    name = f"{entry.kind}:"
    if entry.kind is Kind.CLOSED:
        return f"{name:<8} {time}"
    return f"{name:<8} {entry.text:<23} {time}".rstrip() if time else f"{name:<8} {entry.text}"


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript that was read from a file.

    Attributes:
        entries: all of them, in order.
        complete: whether it was written by a check, and so has every byte and the end of the connection.
        lines_port: whether the program spoke to a port for lines of text.
        cut: whether a check wrote it, and it ends in the middle of a line; the part of that line is no entry.
    """

    entries: tuple[Entry, ...]
    complete: bool
    lines_port: bool
    cut: bool = False


def read_transcript(path: Path) -> Transcript:
    """Read a transcript.

    Raises:
        TranscriptError: the file cannot be read, or is no transcript.
    """
    try:
        text = read_bytes(path).decode()
    except OSError as error:
        raise TranscriptError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise TranscriptError(f"{path} is no transcript: it is not text") from None
    # Only checks write times. With its time a line is whole, also where an editor has taken its end off.
    complete = text.startswith(HEADING)
    cut = complete and not text.endswith(("\n", " ms"))
    lines = text.splitlines()[: -1 if cut else None]
    entries = [entry for number, line in enumerate(lines, 1) if (entry := _entry(path, number, line))]
    if Entry(Kind.DEALER, "login") not in entries:
        raise TranscriptError(f"{path} is no transcript: no line says 'dealer:  login'")
    return Transcript(tuple(entries), complete, LINES_PORT in lines, cut)


def _entry(path: Path, number: int, line: str) -> Entry | None:
    word, _, rest = line.partition(" ")
    if word == Kind.NOTE:
        return Entry(Kind.NOTE, rest)
    if not word.endswith(":") or word[:-1] not in tuple(Kind) or not rest.startswith(" " * (8 - len(word))):
        return None
    kind, rest = Kind(word[:-1]), rest.strip()
    if kind is Kind.DEALER:
        return Entry(kind, rest)
    words = rest.split(" ")
    seconds = None
    if len(words) >= 2 and words[-1] == "ms":
        try:
            seconds, rest = float(words[-2]) / 1000, " ".join(words[:-2]).rstrip()
        except ValueError:
            raise TranscriptError(f"{path}, line {number}: {words[-2]!r} is no number of milliseconds") from None
    if kind is Kind.BYTES:
        _check_bytes(path, number, rest)
    return Entry(kind, rest, seconds)


def _check_bytes(path: Path, number: int, digits: str) -> None:
    try:
        bytes.fromhex(digits)
    except ValueError:
        raise TranscriptError(f"{path}, line {number}: {digits!r} are no bytes in hexadecimal digits") from None
