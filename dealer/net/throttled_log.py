"""A log that writes few lines about many strangers: a flood of connections must not become a flood of lines."""

import structlog
import trio

log = structlog.get_logger()

#: Seconds for which equal events of one address share a line.
THROTTLE_SECONDS = 1.0

#: Pairs of event and address that get their own line within these seconds; all further addresses share one line.
LINES = 50


class ThrottledLog:
    """A log with at most one line a second for each event and address, and a second one that counts the rest."""

    def __init__(self) -> None:
        self._since = 0.0
        self._left_out: dict[tuple[int, str, str], int] = {}

    def write(self, level: int, event: str, address: str, **facts: object) -> None:
        """Log an event, or only count it if an equal one of that address was logged within the last second.

        Args:
            level: of the standard ``logging`` module.
            event: what happened, in one or two words.
            address: who caused it; events of one address are throttled together.
            facts: further keys and values of the line.
        """
        self.flush_when_due()
        key = (level, event, address)
        if key not in self._left_out and len(self._left_out) >= LINES:
            # An attacker with many addresses must not get a line for each.
            key = (level, event, "others")
        if key in self._left_out:
            self._left_out[key] += 1
        else:
            self._left_out[key] = 0
            log.log(level, event, address=address, **facts)

    def flush_when_due(self) -> None:
        """Log how many events were only counted, if their second is over. Called now and then, so that it is told."""
        now = trio.current_time()
        if now - self._since >= THROTTLE_SECONDS:
            self.flush()
            self._since = now

    def flush(self) -> None:
        """Log how many events were only counted, and start counting again."""
        for (level, event, address), count in self._left_out.items():
            if count:
                log.log(level, event, address=address, more=count)
        self._left_out.clear()
