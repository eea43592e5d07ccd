"""A terminal of its own for ``casino play``: what is typed into it, and what was written to it."""

import os
import select
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.casino import ENVIRONMENT, casino
from tests.patience import PATIENCE

fcntl = pytest.importorskip("fcntl", reason="terminals of one's own are a matter of POSIX")
pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")


class Terminal:
    """The keyboard and the screen of a process."""

    def __init__(self, process: subprocess.Popen[bytes], end: int) -> None:
        self.process = process
        self._end = end
        self._written = b""

    def press(self, keys: str) -> None:
        """Type; what was written before is forgotten."""
        self._written = b""
        os.write(self._end, keys.encode())

    def sees(self, *texts: str) -> None:
        """Wait until all texts have been written, in any order: parts of the screen are painted as they change."""
        give_up = time.monotonic() + PATIENCE
        while not all(text.encode() in self._written for text in texts):
            ready, _, _ = select.select([self._end], [], [], give_up - time.monotonic())
            assert ready, f"{texts} were not written: {self._written[-2000:]!r}"
            self._written += self._read()

    def rest(self) -> str:
        """All that is written until the process ends, without what was seen."""
        rest = b"".join(iter(self._read, b""))
        self.process.wait(PATIENCE)
        return rest.decode(errors="replace")  # what was seen may end within a character

    @property
    def hung_up(self) -> bool:
        return self._end < 0

    def hang_up(self) -> None:
        """Close the terminal, as one does with a window."""
        os.close(self._end)
        self._end = -1

    def _read(self) -> bytes:
        try:
            return os.read(self._end, 65536)
        except OSError:  # Linux: the other end is closed
            return b""


@contextmanager
def terminal(*words: str | Path) -> Iterator[Terminal]:
    """``casino`` in a terminal of 80 columns and 24 lines."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {**ENVIRONMENT, "TERM": "xterm-256color", "LINES": "24"}
    process = subprocess.Popen(
        casino(*words), stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    person = Terminal(process, ours)
    try:
        yield person
    finally:
        process.kill()
        process.wait()
        if not person.hung_up:
            person.hang_up()
