"""The game at a seat, played in a thread of its own, whose news come to the event loop."""

from collections.abc import Callable
from contextlib import suppress

import trio

from bots.human.late_play import LatePlay
from bots.human.thread_bridge import ThreadBridge
from bots.human.updates import News
from bots.human.web.room import Table


class GameThread:
    """Plays at a table, one game after the other.

    Args:
        table: where the seat is.
        hear: takes news, in the event loop.

    Attributes:
        bridge: takes the person's answers to the thread.
    """

    def __init__(self, table: Table, hear: Callable[[News], None]) -> None:
        self._hear = hear
        self._loop = trio.lowlevel.current_trio_token()
        counting = table.counting
        self.bridge = ThreadBridge(self._post if counting is None else counting.telling(self._post))
        self._play = LatePlay(table.seat, self.bridge)

    async def run(self, threads: trio.CapacityLimiter) -> None:
        await trio.to_thread.run_sync(self._play.run, abandon_on_cancel=True, limiter=threads)

    def leave(self) -> None:
        """Leave the table; the game ends soon."""
        self._play.leave()

    def _post(self, news: News) -> None:
        """Take news from the thread that plays; none after the end of the event loop."""
        with suppress(trio.RunFinishedError):
            self._loop.run_sync_soon(self._hear, news)
