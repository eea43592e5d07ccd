"""The ``casino`` command at a terminal of its own, where Ctrl-C is a key."""

import fcntl
import os
import pty
import termios
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trio

from tests.end_to_end.casino import ENVIRONMENT, casino
from tests.patience import PATIENCE

CTRL_C = b"\x03"


class Terminal:
    """What a host sees and types.

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

    async def port(self) -> int:
        await self.until("  port ")
        while "\n" not in self.seen:
            await self.read_more()
        return int(self.seen.split()[0])

    async def read_more(self) -> None:
        self.seen += (await self._stream.receive_some()).decode(errors="replace").replace("\r\n", "\n")

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
async def open_terminal(*words: str | Path, command: Sequence[str] | None = None) -> AsyncIterator[Terminal]:
    """Start ``casino``, or another command, at a terminal, and kill it if it still runs at the end of the block."""
    host, terminal = pty.openpty()
    with trio.fail_after(PATIENCE):
        process = await trio.lowlevel.open_process(
            command or casino(*words),
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env={**ENVIRONMENT, "TERM": "xterm", "COLUMNS": "200"},
            start_new_session=True,
            preexec_fn=_take_terminal,
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
