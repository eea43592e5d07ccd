"""The browser that shows a seat: one at a time, and the last one that came."""

from collections.abc import Callable

import trio


class Viewer:
    """The browser at a seat, which comes and goes.

    Attributes:
        absent_since: the trio time since which no browser has been there; None while one is.
    """

    def __init__(self) -> None:
        self.absent_since: float | None = trio.current_time()
        self._browser: tuple[Callable[[], None], Callable[[], None]] | None = None

    def attach(self, wake: Callable[[], None], give_up: Callable[[], None]) -> None:
        """Take a browser, which is to show what the person sees; the one before has to give up the seat.

        Args:
            wake: called when something has changed.
            give_up: called when another browser takes the seat.
        """
        if self._browser is not None:
            self._browser[1]()
        self._browser, self.absent_since = (wake, give_up), None

    def detach(self, wake: Callable[[], None]) -> None:
        """Let the browser go that has this ``wake``, unless another one has taken the seat."""
        if self._browser is not None and self._browser[0] == wake:
            self._browser, self.absent_since = None, trio.current_time()

    def wake(self) -> None:
        """Tell the browser, if there is one, that something has changed."""
        if self._browser is not None:
            self._browser[0]()
