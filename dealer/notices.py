"""Log lines about strangers, so few that no flood of connections becomes a flood of lines."""

from collections.abc import Callable
from typing import Any

import trio

WINDOW_SECONDS = 1.0
LINES = 50
"""Pairs of event and address that get a line of their own in a window; further addresses share one."""

Write = Callable[..., Any]


class Notices:
    """At most one line an address and event in a second, and then one that says how many were left out."""

    def __init__(self) -> None:
        self._since = 0.0
        self._left_out: dict[tuple[Write, str, str], int] = {}

    def say(self, write: Write, event: str, address: str, **facts: object) -> None:
        """Log an event with ``write``, a method of a logger, or count it if its like was logged within the second."""
        now = trio.current_time()
        if now - self._since >= WINDOW_SECONDS:
            self.flush()
            self._since = now
        key = (write, event, address)
        if key not in self._left_out and len(self._left_out) >= LINES:
            key = (write, event, "others")
        if key in self._left_out:
            self._left_out[key] += 1
        else:
            self._left_out[key] = 0
            write(event, address=address, **facts)

    def flush(self) -> None:
        """Tell what was left out so far, and begin anew."""
        for (write, event, address), count in self._left_out.items():
            if count:
                write(event, address=address, more=count)
        self._left_out.clear()
