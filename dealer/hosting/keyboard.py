"""The host's keyboard: lines typed at the terminal, read without a thread that could outlive its reader."""

import os
import sys

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
