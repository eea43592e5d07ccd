"""The host's keyboard: lines and single keys typed at the terminal.

They are read without a thread that could outlive its reader. For single keys the terminal hands over each key at once,
and is put back on every exit.
"""

import atexit
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import trio

#: Seconds between two looks whether this program is in the foreground again.
LOOK_SECONDS = 0.2

#: Bytes of a line that are read.
LINE_BYTES = 1024


async def read_line() -> str | None:
    """Wait for a line on standard input; None if it is closed.

    Reads the file descriptor instead of ``sys.stdin``, whose lock a reader would hold when the program ends.
    """
    try:
        if sys.platform == "win32":
            data = await trio.to_thread.run_sync(os.read, 0, LINE_BYTES, abandon_on_cancel=True)
        else:
            await _readable()
            data = os.read(0, LINE_BYTES)
    except OSError:
        return None
    return data.decode(errors="replace") if data else None


async def _readable() -> None:
    """Wait until a read returns at once, and is allowed: the system stops a background program that reads."""
    while True:
        try:
            await trio.lowlevel.wait_readable(0)
        except PermissionError:  # a file or the null device, which is always readable
            await trio.lowlevel.checkpoint()
        if _in_foreground():
            return
        await trio.sleep(LOOK_SECONDS)


def _in_foreground() -> bool:
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:  # no terminal, or not the one of this session
        return True


def at_terminal() -> bool:
    """Whether the host can be asked: standard input is a terminal, and this program is in its foreground."""
    return sys.stdin is not None and sys.stdin.isatty() and (sys.platform == "win32" or _in_foreground())


#: Signals that end a process which does not take them, and the one that stops it until its user lets it go on. SIGINT,
#: SIGTERM and SIGHUP are for ``interrupts``, which end the block as everything else does.
_ENDING = (
    *("SIGQUIT", "SIGABRT", "SIGALRM", "SIGUSR1", "SIGUSR2"),
    *("SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ", "SIGTSTP"),
)

#: Ctrl-D: the end of what is typed.
_END = "\x04"


class Keys:
    """The keys of a terminal. ``single_keys`` opens and closes them.

    Attributes:
        is_open: whether each key is handed over at once; else the terminal takes lines, as usual.
    """

    def __init__(self) -> None:
        self._usual: list[Any] | None = None
        self._wanted = False
        self._reading = trio.CancelScope()
        self.is_open = False

    def open(self) -> None:
        """Let the terminal hand over each key at once, without showing it. Ctrl-C stays an interrupt.

        In the background, where the terminal belongs to others, this waits until the program is in front again.
        """
        import termios  # noqa: PLC0415 - there is none on Windows, where no keys are read
        import tty  # noqa: PLC0415

        self._wanted = True
        if at_terminal():
            # What is found later may be what a shell has made of our own mode.
            self._usual = self._usual or termios.tcgetattr(0)
            tty.setcbreak(0, termios.TCSANOW)
            self.is_open = True

    def close(self) -> None:
        """Put the terminal back as it was. Who waits for keys waits until they are open again."""
        self._wanted = False
        self.lend()

    def lend(self) -> None:
        """Put the terminal back as it was until ``reopen``, because this program is being stopped."""
        import termios  # noqa: PLC0415

        was_open, self.is_open = self.is_open, False
        if was_open and self._usual is not None and at_terminal():  # the system stops a background program that does it
            with suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(0, termios.TCSANOW, self._usual)

    def reopen(self) -> None:
        """Set the terminal's mode again after a stop: its shell, and other programs, had the terminal meanwhile."""
        self.is_open = False
        if self._wanted:
            self.open()
        if not self.is_open:
            self._reading.cancel()  # in the background: who waits for keys looks when it is in front again

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Let the host type lines while the block runs, as usual."""
        self.close()
        self._reading.cancel()
        try:
            yield
        finally:
            self.open()

    async def pressed(self) -> str | None:
        """Wait for the next keys; None when there will be none any more."""
        while True:
            while not self.is_open:  # somebody else has the terminal, or the host types a line
                await trio.sleep(LOOK_SECONDS)
                if self._wanted:
                    self.open()
            with trio.CancelScope() as self._reading:
                text = await read_line()
                return None if text is None or _END in text else text


@contextmanager
def single_keys() -> Iterator[Keys | None]:
    """Hand over keys one by one while the block runs; None where standard input is no terminal of the foreground.

    The terminal is put back when the block ends, however it does, and also if a signal ends or stops the process.
    """
    if sys.platform == "win32" or not at_terminal():
        yield None
        return
    keys = Keys()
    keys.open()
    atexit.register(keys.close)
    try:
        with _put_back_on_signals(keys):
            yield keys
    finally:
        keys.close()
        atexit.unregister(keys.close)


@contextmanager
def _put_back_on_signals(keys: Keys) -> Iterator[None]:
    token = trio.lowlevel.current_trio_token()

    def reopen() -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(keys.reopen)

    def put_back(number: int, _: FrameType | None) -> None:
        keys.lend()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # Only a stopped process comes here, when its user lets it go on.
        signal.signal(number, put_back)
        reopen()

    def go_on(_: int, __: FrameType | None) -> None:
        reopen()

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    taken = [number for number in (*numbers, signal.SIGCONT) if signal.getsignal(number) == signal.SIG_DFL]
    for number in taken:
        # SIGCONT also follows a stop that cannot be caught, after which the shell has set the mode that it likes.
        signal.signal(number, go_on if number == signal.SIGCONT else put_back)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
