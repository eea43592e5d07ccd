"""Transcripts of checks: the messages of both sides of each connection, one a line, to be read by people.

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
says that the program ended the connection. ``--`` are remarks; some name mistakes that no message shows, such as an
exit code. Each ``login`` begins another connection. The report of a tournament writes the same format without
``bytes:`` and ``closed:``, which a journal does not record.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from dealer.checker.session.wire_log import Entry, Kind
from dealer.errors import OptionError

HEADING = """\
What passed between `casino check` and a program: dealer: what the program was sent, you: what it replied, with the
milliseconds since the last message to it.
"""

#: The remark that the program spoke to a port for lines of text.
LINES_PORT = "-- the port was one for lines of text"


def create_transcript(path: Path) -> None:
    """Create the file before anything is played, so that nothing is played in vain.

    Raises:
        OptionError: it exists already, or cannot be created.
    """
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise OptionError(f"{path} exists already; name a new file") from None
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from None


def write_transcript(path: Path, tapes: Iterable[tuple[str, Sequence[Entry]]], lines_port: bool) -> None:
    """Write connections to a file, each with the part it was for; ``lines_port`` if they were for lines of text.

    Raises:
        OptionError: the file cannot be written.
    """
    lines = [HEADING + (f"\n{LINES_PORT}" if lines_port else "")]
    for name, tape in tapes:
        lines += ["", f"-- {name}", *map(_line, tape)]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from None


def _line(entry: Entry) -> str:
    if entry.kind is Kind.NOTE:
        return f"-- {entry.text}"
    time = "" if entry.seconds is None else f"{1000 * entry.seconds:.3f} ms"
    name = f"{entry.kind}:"
    if entry.kind is Kind.CLOSED:
        return f"{name:<8} {time}"
    return f"{name:<8} {entry.text:<23} {time}".rstrip() if time else f"{name:<8} {entry.text}"
