"""The ``casino`` command at a terminal of its own, where Ctrl-C is a key."""

import os
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from tests.end_to_end.casino import ENVIRONMENT, casino
from tests.patience import PATIENCE

fcntl = pytest.importorskip("fcntl", reason="terminals of one's own are a matter of POSIX")
pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")

CTRL_C = b"\x03"


class Terminal:
    """What a person sees and types.

    Attributes:
        process: the command.
        seen: all that was shown so far.
    """

    def __init__(self, process: trio.Process, stream: trio.lowlevel.FdStream) -> None:
        self.process = process
        self.seen = ""
        self._stream = stream

    async def press(self, keys: bytes) -> None:
        await self._stream.send_all(keys)

    async def until(self, text: str) -> None:
        """Read until the terminal has shown ``text``; what came before it is forgotten."""
        while text not in self.seen:
            await self.read_more()
        self.seen = self.seen.partition(text)[2]

    async def sees(self, *texts: str) -> None:
        """Read until all texts were shown, in any order, as parts of a screen are painted; all of it is forgotten."""
        while not all(text in self.seen for text in texts):
            await self.read_more()
        self.seen = ""

    async def port(self) -> int:
        await self.until("  port ")
        while "\n" not in self.seen:
            await self.read_more()
        return int(self.seen.split()[0])

    async def read_more(self) -> None:
        more = (await self._stream.receive_some()).decode(errors="replace")
        self.seen = (self.seen + more).replace("\r\n", "\n")

    async def ended(self) -> int:
        """Read until the command ends; its exit code."""
        with suppress(trio.BrokenResourceError):  # what a terminal says when its last program has left
            while True:
                await self.read_more()
        code = await self.process.wait()
        assert "Traceback" not in self.seen
        return code

    @property
    def takes_lines(self) -> bool:
        """Whether the terminal shows what is typed and hands it over in lines, as shells leave it."""
        modes = termios.tcgetattr(self._stream.fileno())[3]
        return bool(modes & termios.ICANON and modes & termios.ECHO)

    def shell_takes_it(self) -> None:
        """Let the terminal take lines, as a shell does when it is in front again."""
        modes = termios.tcgetattr(self._stream.fileno())
        modes[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(self._stream.fileno(), termios.TCSANOW, modes)

    async def hang_up(self) -> None:
        await self._stream.aclose()


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@asynccontextmanager
async def open_terminal(
    *words: str | Path, command: Sequence[str] | None = None, columns: int = 200, controls: bool = True
) -> AsyncIterator[Terminal]:
    """Start ``casino``, or another command, at a terminal, and kill it if it still runs at the end of the block.

    Args:
        words: of ``casino``.
        command: another one.
        columns: of the terminal, which has 24 lines.
        controls: whether its keys and its end are signals to the command.
    """
    host, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with trio.fail_after(PATIENCE):
        process = await trio.lowlevel.open_process(
            command or casino(*words),
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env={**ENVIRONMENT, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "24"},
            start_new_session=True,
            preexec_fn=_take_terminal if controls else None,
        )
        os.close(terminal)
        try:
            async with trio.lowlevel.FdStream(host) as stream:
                yield Terminal(process, stream)
        finally:
            if process.poll() is None:
                process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()
