"""What Ctrl-C does before a command runs, while it runs, and after it."""

import os
import signal
from collections.abc import Callable
from types import FrameType

from dealer.errors import INTERRUPTED

Handler = Callable[[int, FrameType | None], object]


def end_when_interrupted() -> None:
    """Let Ctrl-C end this process at once, without a traceback; nothing is under way that must be finished.

    A process that ignores Ctrl-C, as one in the background of a script does, goes on to ignore it.
    """
    _exchange(signal.default_int_handler, _end)


def raise_when_interrupted() -> None:
    """Let Ctrl-C raise ``KeyboardInterrupt`` again, as commands and event loops expect."""
    _exchange(_end, signal.default_int_handler)


def _exchange(old: Handler, new: Handler) -> None:
    if signal.getsignal(signal.SIGINT) is old:
        signal.signal(signal.SIGINT, new)


def _end(_number: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)
