"""Log lines about strangers, so few that no flood of connections becomes a flood of lines."""

import structlog
import trio

log = structlog.get_logger()

WINDOW_SECONDS = 1.0
LINES = 50
"""Pairs of event and address that get a line of their own in a window; further addresses share one."""


class Notices:
    """At most one line an address and event in a second, and then one that says how many were left out."""

    def __init__(self) -> None:
        self._since = 0.0
        self._left_out: dict[tuple[int, str, str], int] = {}

    def say(self, level: int, event: str, address: str, **facts: object) -> None:
        """Log an event at a level of ``logging``, or count it if its like was logged within the second."""
        now = trio.current_time()
        if now - self._since >= WINDOW_SECONDS:
            self.flush()
            self._since = now
        key = (level, event, address)
        if key not in self._left_out and len(self._left_out) >= LINES:
            key = (level, event, "others")
        if key in self._left_out:
            self._left_out[key] += 1
        else:
            self._left_out[key] = 0
            log.log(level, event, address=address, **facts)

    def flush(self) -> None:
        """Tell what was left out so far, and begin anew."""
        for (level, event, address), count in self._left_out.items():
            if count:
                log.log(level, event, address=address, more=count)
        self._left_out.clear()
