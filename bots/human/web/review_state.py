"""What the page shows of a session's review: how far it is, then its sentences."""

from collections.abc import Sequence
from typing import Any

import trio

from bots.human.coach.review import METHOD, NOTHING_DECIDED, Decision

#: What a person reads whose review failed by a mistake of this program.
FAILED = "Your decisions could not be reviewed; the log of the program that serves this page says why."


class ReviewState:
    """The review of one game. All methods are called in the event loop.

    Attributes:
        scope: in which the review under way is computed.
    """

    def __init__(self) -> None:
        self.scope = trio.CancelScope()
        self._wanted = 0
        self._progress = (0, 0)
        self._lines: Sequence[str] | None = None

    def begin(self, decisions: Sequence[Decision]) -> bool:
        """Whether a review of these decisions is to be computed now: it is not, if it is known or under way."""
        if not decisions:
            self._lines = [NOTHING_DECIDED]
            return False
        if self._is_under_way or self._wanted == len(decisions):
            return False
        self._wanted, self._progress, self._lines = len(decisions), (0, 0), None
        self.scope = trio.CancelScope()
        return True

    @property
    def _is_under_way(self) -> bool:
        return self._wanted > 0 and self._lines is None

    def progress(self, done: int, looks: int) -> None:
        """So many of so many looks are done."""
        self._progress = (done, looks)

    def done(self, lines: Sequence[str] | None) -> None:
        """Take the sentences; None if the review failed, and may be tried again."""
        self._lines = [FAILED] if lines is None else lines
        self._wanted = 0 if lines is None else self._wanted

    @property
    def facts(self) -> dict[str, Any] | None:
        """The same as values for JSON; None before anybody has asked."""
        if self._is_under_way:
            return {"done": self._progress[0], "looks": self._progress[1], "lines": [], "method": ""}
        if self._lines is None:
            return None
        return {"done": 0, "looks": 0, "lines": list(self._lines), "method": METHOD if self._wanted else ""}
