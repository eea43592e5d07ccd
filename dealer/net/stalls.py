"""Stalls: times in which the dealer itself did not run, and a clock that leaves them out.

A process stands still when it is stopped, when its machine is paused, or while Python collects much garbage. All
deadlines of the dealer measure others: how long a program takes to reply, to log in, or to come back. None of them
could do anything about a stall, so it must not count for them.

Nothing tells a process that it stood still. But the ``Watchdog`` sleeps for ``SWEEP_SECONDS`` at a time; where it wakes
up much later, the dealer did not run. When it runs again, many tasks wake up in any order, and most of them before the
watchdog. So each task that is about to blame a player for a delay calls ``look`` first.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from math import inf

import structlog
import trio

log = structlog.get_logger()

#: Seconds between two sweeps of the watchdog, each of which looks for a stall.
SWEEP_SECONDS = 0.05

#: Seconds between two looks from which the dealer has stood still. Below, the event loop was only busy.
STALL_SECONDS = 2 * SWEEP_SECONDS

#: Seconds of a stall that the host is told; shorter ones are common on a busy machine.
TOLD_SECONDS = 0.5

#: Seconds after a stall until the next one is given back in full.
RECOVERY_SECONDS = 1.0

#: Seconds that are too few to sleep: adding them to the time may change nothing.
NO_TIME = 1e-6

#: Told the trio times between which the dealer stood still.
Listener = Callable[[float, float], None]


class Stalls:
    """Notices stalls, tells its listeners, and has a clock that does not count them.

    Args:
        told: seconds of a stall from which the host is told; ``inf`` where another ``Stalls`` of this process does it.
    """

    def __init__(self, told: float = TOLD_SECONDS) -> None:
        self._told = told
        self._lost = 0.0
        self._ended = -inf
        self._seen = trio.current_time()
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """From now on call ``listener`` with the beginning and end (trio times) of each stall, when it is noticed."""
        self._listeners.append(listener)

    def look(self) -> None:
        """Notice a stall, if there was one since the last look."""
        now = trio.current_time()
        began, self._seen = self._seen, now
        if now - began < STALL_SECONDS:
            return
        # If the event loop were slow for ever, every look would find a stall, and no time at all would pass for a
        # program that never replies. So after one stall a sweep of each further one counts.
        if began < self._ended + RECOVERY_SECONDS:
            began += SWEEP_SECONDS
        self._ended = now
        self._lost += now - began
        if now - began >= self._told:
            reason = "the dealer itself did not run; every player gets this time back"
            log.warning("stood still", seconds=round(now - began, 3), reason=reason)
        for listener in self._listeners:
            listener(began, now)

    async def look_forever(self) -> None:
        """Look each ``SWEEP_SECONDS``, until cancelled. Needed where no ``Watchdog`` runs."""
        while True:
            await trio.sleep(SWEEP_SECONDS)
            self.look()

    def clock(self) -> float:
        """The time in seconds since any moment, without the time of stalls."""
        self.look()
        return self._seen - self._lost

    async def sleep(self, seconds: float) -> None:
        """Sleep for so many seconds, and for as long as the dealer stood still meanwhile."""
        until = self.clock() + seconds
        while (left := until - self.clock()) > NO_TIME:
            await trio.sleep(left)

    @asynccontextmanager
    async def move_on_after(self, seconds: float) -> AsyncIterator[None]:
        """Cancel the block after so many seconds, as ``trio.move_on_after`` does, but leave out stalls."""
        async with trio.open_nursery() as nursery:

            async def end() -> None:
                await self.sleep(seconds)
                nursery.cancel_scope.cancel()

            nursery.start_soon(end)
            yield
            nursery.cancel_scope.cancel()
