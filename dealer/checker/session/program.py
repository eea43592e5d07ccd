"""The program under test as a process: started for one connection, and stopped with everything it has started."""

import os
import signal
import subprocess
from collections.abc import Sequence

import trio

from dealer.net.stalls import Stalls
from dealer.sandbox.sandbox import Sandbox

#: The last lines of a program's own output that are shown.
SAID_LINES = 8

#: The last bytes of its output that are kept; a program may print without end.
SAID_BYTES = 100_000


class CannotStart(Exception):
    """The command cannot be run; the text is the system's reason."""


class _Output:
    """The end of what a program writes to one of its streams."""

    def __init__(self, stream: trio.abc.ReceiveStream | None) -> None:
        assert stream is not None
        self.over = trio.Event()
        self._stream = stream
        self._data = b""
        #: Bytes written so far.
        self.size = 0

    async def collect(self) -> None:
        """Read until no process can write any more, and keep the end."""
        async with self._stream:
            async for data in self._stream:
                self._data = (self._data + data)[-SAID_BYTES:]
                self.size += len(data)
        self.over.set()

    @property
    def text(self) -> str:
        """What was kept."""
        return self._data.decode(errors="replace")

    def since(self, size: int) -> str:
        """What was kept of the bytes after the first ``size``."""
        new = self.size - size
        return self._data[-new:].decode(errors="replace") if new else ""


class Program:
    """A started program. Use ``start_program``."""

    def __init__(self, process: trio.Process, nursery: trio.Nursery) -> None:
        self._process = process
        self._out, self._err = _Output(process.stdout), _Output(process.stderr)
        nursery.start_soon(self._out.collect)
        nursery.start_soon(self._err.collect)

    @property
    def code(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.poll()

    async def ended(self, seconds: float, stalls: Stalls) -> bool:
        """Wait for its end and the end of its output; whether both came within ``seconds``, stalls left out."""
        async with stalls.move_on_after(seconds):
            await self.wait()
        return self.code is not None

    async def wait(self) -> None:
        """Wait for its end and the end of its output, to which processes it has started may still write."""
        await self._process.wait()
        await self._out.over.wait()
        await self._err.over.wait()

    @property
    def printed(self) -> str:
        """The end of its standard output."""
        return self._out.text

    @property
    def complained(self) -> str:
        """The end of its standard error."""
        return self._err.text

    @property
    def mark(self) -> tuple[int, int]:
        """How many bytes it has written to its standard output and error so far; for ``since``."""
        return self._out.size, self._err.size

    def since(self, mark: tuple[int, int]) -> str:
        """What it has written after ``mark`` was taken."""
        return self._out.since(mark[0]) + self._err.since(mark[1])

    @property
    def last_lines(self) -> tuple[str, ...]:
        """The last lines of its standard error; of its standard output if its standard error is empty."""
        errors = [line for line in self.complained.splitlines() if line.strip()]
        printed = [line for line in self.printed.splitlines() if line.strip()]
        return tuple((errors or printed)[-SAID_LINES:])

    async def stop(self) -> None:
        """Kill it and the processes it has started, if it still runs, and wait for its end."""
        with trio.CancelScope(shield=True):
            if self._process.poll() is None:
                if os.name == "posix":
                    os.killpg(self._process.pid, signal.SIGKILL)  # it leads a session of its own
                else:
                    self._process.kill()
            await self._process.wait()


async def start_program(
    command: Sequence[str], host: str, port: int, nursery: trio.Nursery, sandbox: Sandbox | None = None
) -> Program:
    """Start a command, with ``{host}`` and ``{port}`` in it filled in; its output is collected in ``nursery``.

    Args:
        command: the program and its arguments.
        host: a local address, where it finds the port.
        port: where it connects.
        nursery: collects its output.
        sandbox: in which it runs; None if it may do what the user may.

    Raises:
        CannotStart: there is no such program.
    """
    words = [word.replace("{host}", host).replace("{port}", str(port)) for word in command]
    if sandbox is not None:
        words = sandbox.wrap(words, host, port)
    try:
        process = await trio.lowlevel.open_process(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=os.name == "posix",  # so that a Ctrl-C at the terminal does not reach it
        )
    except (OSError, ValueError) as error:
        raise CannotStart(f"cannot run {words[0]!r}: {getattr(error, 'strerror', None) or error}") from None
    return Program(process, nursery)
