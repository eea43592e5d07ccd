"""The watchdog: one task that enforces the deadline of every seat, and the owner of all player sockets.

A timer for each question would cost more than the question. One task that looks at every seat twenty times a second
costs the same for 2 seats and for 500, and a late reply is still measured exactly: by the time at which it came.
"""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from dealer.net.limits import USUAL, Limits
from dealer.net.seat import Connect, Seat
from dealer.net.stalls import SWEEP_SECONDS, Stall, Stalls
from protocol.wire.connection import DealerConnection
from protocol.wire.framing import Framing

#: Seconds after which each seat may send its bytes and frames "per second" again.
REFILL_SECONDS = 1.0


class Watchdog:
    """Makes seats, owns their sockets and sweeps them. Use ``open_watchdog``.

    Attributes:
        stalls: times in which the dealer stood still, which each sweep looks for.
    """

    def __init__(self) -> None:
        self.stalls = Stalls()
        self.stalls.listen(self._give_back)
        self._seats: set[Seat] = set()

    def seat(
        self,
        sock: socket.socket,
        framing: Framing,
        limit: float,
        limits: Limits = USUAL,
        connect: Connect = DealerConnection,
    ) -> Seat:
        """Make a seat of a connected socket, which the watchdog owns and closes from now on.

        Args:
            sock: connected to a program.
            framing: how messages are cut out of the stream.
            limit: seconds within which each reply is due.
            limits: bytes and frames that the program may send.
            connect: makes the dealer's end of the protocol that the program speaks.
        """
        seat = Seat(sock, framing, limit, limits, self.stalls.look, connect)
        self._seats.add(seat)
        return seat

    async def sweep_forever(self) -> None:
        """Sweep every seat each ``SWEEP_SECONDS``, until cancelled."""
        refill_at = trio.current_time() + REFILL_SECONDS
        while True:
            await trio.sleep(SWEEP_SECONDS)
            self.stalls.look()  # before the sweep, which would blame seats for a stall
            now = trio.current_time()
            for seat in self._seats:
                seat.sweep(now)
            if now >= refill_at:
                refill_at = now + REFILL_SECONDS
                for seat in self._seats:
                    seat.refill()
            # A seat that is closed says nothing to its watchdog, so that it need not know one: we look.
            self._seats = {seat for seat in self._seats if not seat.closed}

    def _give_back(self, stall: Stall) -> None:
        for seat in self._seats:
            seat.give_back(stall)

    def close(self) -> None:
        """Close every socket that is still open."""
        for seat in self._seats:
            seat.abort()


@asynccontextmanager
async def open_watchdog() -> AsyncIterator[Watchdog]:
    """Run a watchdog while the block runs; close all its seats when the block ends, also after an error."""
    watchdog = Watchdog()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.sweep_forever)
        try:
            yield watchdog
        finally:
            watchdog.close()
            nursery.cancel_scope.cancel()
