"""Stalls: times in which the dealer itself did not run, and a clock that leaves them out.

A process stands still when it is stopped, when its machine is paused, or while Python collects much garbage. All
deadlines of the dealer measure others: how long a program takes to reply, to log in, or to come back. None of them
could do anything about a stall, so it must not count for them.

Nothing tells a process that it stood still. But the ``Watchdog`` sleeps for ``SWEEP_SECONDS`` at a time; where it wakes
up much later, the dealer did not run. When it runs again, many tasks wake up in any order, and most of them before the
watchdog. So each task that is about to blame a player for a delay calls ``look`` first.

While a laptop is suspended (its lid closed), the clock of Linux that trio reads stands still as well, so a suspension
is found by another clock. It takes no time of a deadline. But the replies that others sent meanwhile come late: TCP
sends them again after times that double, so the last of these is about as long as the suspension, and at most
``AFTER_SUSPENSION_SECONDS``. So every deadline is moved by that.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
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

#: Seconds that a suspension gives everybody, at most: the longest time after which TCP of Linux sends again.
AFTER_SUSPENSION_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Stall:
    """A time in which the dealer did not run.

    Attributes:
        began: the trio time at which it was last seen running.
        ended: the trio time at which it was seen running again.
        suspended: seconds for which its machine was suspended, in which trio's clock stood still.
    """

    began: float
    ended: float
    suspended: float = 0.0

    @property
    def seconds(self) -> float:
        """How long it lasted."""
        return self.ended - self.began + self.suspended

    def given_back(self, since: float) -> float:
        """The seconds that a deadline moves which has run since a trio time."""
        return max(self.ended - max(self.began, since), 0.0) + min(self.suspended, AFTER_SUSPENSION_SECONDS)


#: Told each stall when it is noticed.
Listener = Callable[[Stall], None]


def suspended_seconds() -> float:
    """The seconds for which this machine has been suspended since it was started; 0 where the system does not tell.

    Too few, never too many, if this process stands still between the readings of the two clocks.
    """
    if not hasattr(time, "CLOCK_BOOTTIME"):  # only Linux has this clock
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


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
        self._suspended = max(suspended_seconds() for _ in range(3))
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """From now on call ``listener`` with each stall, when it is noticed."""
        self._listeners.append(listener)

    def look(self) -> None:
        """Notice a stall, if there was one since the last look."""
        now = trio.current_time()
        began, self._seen = self._seen, now
        suspended = suspended_seconds() - self._suspended
        if suspended < STALL_SECONDS:
            suspended = 0.0
        if now - began < STALL_SECONDS and not suspended:
            return
        # If the event loop were slow for ever, every look would find a stall, and no time at all would pass for a
        # program that never replies. So after one stall a sweep of each further one counts.
        if began < self._ended + RECOVERY_SECONDS:
            began = min(began + SWEEP_SECONDS, now)
        self._ended = now
        self._suspended += suspended
        stall = Stall(began, now, suspended)
        self._lost += stall.given_back(began)
        if stall.seconds >= self._told:
            cause = "the dealer's machine was suspended" if suspended else "the dealer itself did not run"
            reason = f"{cause}; every player gets this time back"
            if suspended > AFTER_SUSPENSION_SECONDS:
                reason = f"{cause}; every player gets {AFTER_SUSPENSION_SECONDS:.0f} s more"
            log.warning("stood still", seconds=round(stall.seconds, 3), reason=reason)
        for listener in self._listeners:
            listener(stall)

    async def look_forever(self) -> None:
        """Look each ``SWEEP_SECONDS``, until cancelled. Needed where no ``Watchdog`` runs."""
        while True:
            await trio.sleep(SWEEP_SECONDS)
            self.look()

    def clock(self) -> float:
        """The time in seconds since any moment, without the time of stalls. A suspension takes it back.

        So it serves to keep deadlines, not to measure.
        """
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
