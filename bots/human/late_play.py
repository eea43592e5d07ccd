"""A game that is made by the thread that plays it."""

from collections.abc import Callable

from bots.human.session_record import Play
from bots.human.thread_bridge import ThreadBridge


class LatePlay:
    """Makes a game when it is first played, in the thread that plays it, since its bots may take seconds to load.

    Args:
        seat: makes the game that a bridge leads to.
        bridge: to the screen.
    """

    def __init__(self, seat: Callable[[ThreadBridge], Play], bridge: ThreadBridge) -> None:
        self._seat = seat
        self._bridge = bridge
        self._play: Play | None = None

    def run(self) -> None:
        play = self._play or self._make()
        play.run()

    def leave(self) -> None:
        """A game that is not yet made ends as soon as it is."""
        if self._play is None:
            self._bridge.leave()
        if self._play is not None:  # it may have been made in the meantime
            self._play.leave()

    def _make(self) -> Play:
        self._play = play = self._seat(self._bridge)
        if self._bridge.left:
            play.leave()
        return play
