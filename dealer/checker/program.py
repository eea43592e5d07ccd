"""The program under test, as a process: started for one connection, and gone with everything it has started."""

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

SAID_LINES = 8
"""The last lines of a program's own output that are shown."""

SAID_BYTES = 100_000
"""The last bytes of its output that are looked at."""


class CannotStart(Exception):
    """The command names nothing that can be run; the text says what the system said."""


class Program:
    """A started program. Use ``start_program``."""

    def __init__(self, process: trio.Process, folder: TemporaryDirectory[str]) -> None:
        self._process = process
        self._folder = folder

    @property
    def code(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.poll()

    async def ended(self, seconds: float) -> bool:
        """Wait for its end; whether that came within ``seconds``."""
        with trio.move_on_after(seconds):
            await self._process.wait()
        return self.code is not None

    async def wait(self) -> None:
        """Wait for its end."""
        await self._process.wait()

    def printed(self) -> str:
        """The end of its standard output."""
        return _tail(Path(self._folder.name, "out"))

    def complained(self) -> str:
        """The end of its standard error."""
        return _tail(Path(self._folder.name, "err"))

    def last_lines(self) -> tuple[str, ...]:
        """The last lines of its standard error; of its standard output if it says nothing there."""
        errors = [line for line in self.complained().splitlines() if line.strip()]
        printed = [line for line in self.printed().splitlines() if line.strip()]
        return tuple((errors or printed)[-SAID_LINES:])

    async def stop(self) -> None:
        """Kill it, and what it has started itself, if it still runs; see it gone."""
        with trio.CancelScope(shield=True):
            if self._process.poll() is None:
                if os.name == "posix":
                    os.killpg(self._process.pid, signal.SIGKILL)  # it leads a session of its own
                else:
                    self._process.kill()
            await self._process.wait()
        self._folder.cleanup()


async def start_program(command: Sequence[str], host: str, port: int) -> Program:
    """Start a command, with ``{host}`` and ``{port}`` in it filled in.

    Raises:
        CannotStart: there is no such program.
    """
    words = [word.replace("{host}", host).replace("{port}", str(port)) for word in command]
    folder = TemporaryDirectory(prefix="casino-check-", ignore_cleanup_errors=True)
    try:
        with Path(folder.name, "out").open("wb") as out, Path(folder.name, "err").open("wb") as err:
            process = await trio.lowlevel.open_process(
                words,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=os.name == "posix",  # a Ctrl-C at the terminal is ours alone
            )
    except (OSError, ValueError) as error:
        folder.cleanup()
        raise CannotStart(f"cannot run {words[0]!r}: {getattr(error, 'strerror', None) or error}") from None
    return Program(process, folder)


def _tail(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - SAID_BYTES))
        return file.read(SAID_BYTES).decode(errors="replace")
