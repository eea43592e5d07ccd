"""Single keys at the host's terminal: the terminal hands over each key at once, and is put back on every exit."""

import atexit
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import trio

from dealer.hosting.keyboard import at_terminal, read_line

#: Signals that end a process which does not take them, and the one that stops it until its user lets it go on. SIGINT,
#: SIGTERM and SIGHUP are for ``interrupts``, which end the block as everything else does.
_ENDING = (
    *("SIGQUIT", "SIGABRT", "SIGALRM", "SIGUSR1", "SIGUSR2"),
    *("SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGXFSZ", "SIGTSTP"),
)

#: Ctrl-D: the end of what is typed.
_END = "\x04"


class Keys:
    """The keys of a terminal. ``single_keys`` opens and closes them."""

    def __init__(self) -> None:
        self._before: list[Any] | None = None
        self._opened = trio.Event()
        self._reading = trio.CancelScope()

    @property
    def is_open(self) -> bool:
        """Whether each key is handed over at once; else the terminal takes lines, as usual."""
        return self._before is not None

    def open(self) -> None:
        """Let the terminal hand over each key at once, without showing it. Ctrl-C stays an interrupt."""
        import termios  # noqa: PLC0415 - there is none on Windows, where no keys are read
        import tty  # noqa: PLC0415

        if not self.is_open and at_terminal():
            self._before = termios.tcgetattr(0)
            tty.setcbreak(0, termios.TCSANOW)
            self._opened.set()

    def close(self) -> None:
        """Put the terminal back as it was. Who waits for keys waits until they are open again."""
        import termios  # noqa: PLC0415

        before, self._before = self._before, None
        if before is not None:
            self._opened = trio.Event()
            with suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(0, termios.TCSANOW, before)

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
            await self._opened.wait()
            if not self.is_open:  # closed in the same moment
                continue
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
    def put_back(number: int, _: FrameType | None) -> None:
        was_open = keys.is_open
        keys.close()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # Only a stopped process comes here, when its user lets it go on.
        signal.signal(number, put_back)
        if was_open:
            keys.open()

    numbers = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    taken = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in taken:
        signal.signal(number, put_back)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
