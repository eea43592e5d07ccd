"""The clock and the owner of all seats: one task keeps every deadline, and no socket outlives it."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from dealer.net.limits import USUAL, Limits
from dealer.net.seat import Seat
from protocol.wire.framing import Framing

SWEEP_SECONDS = 0.05
"""How long after its deadline, at most, a silent seat is noticed. (A reply is late by its own time.)"""

REFILL_SECONDS = 1.0
"""For which the bytes and frames of a seat are counted."""


class Watchdog:
    """Makes seats, and sweeps them. Use ``open_watchdog``."""

    def __init__(self) -> None:
        self._seats: set[Seat] = set()

    def seat(self, sock: socket.socket, framing: Framing, limit: float, limits: Limits = USUAL) -> Seat:
        """A seat for a connected socket, which the watchdog owns from now on; replies are due in ``limit`` seconds."""
        seat = Seat(sock, framing, limit, limits)
        self._seats.add(seat)
        return seat

    async def sweep_forever(self) -> None:
        """Look at every seat, twenty times a second."""
        refill_at = trio.current_time() + REFILL_SECONDS
        while True:
            await trio.sleep(SWEEP_SECONDS)
            now = trio.current_time()
            for seat in self._seats:
                seat.sweep(now)
            if now >= refill_at:
                refill_at = now + REFILL_SECONDS
                for seat in self._seats:
                    seat.refill()
            self._seats = {seat for seat in self._seats if not seat.closed}

    def close(self) -> None:
        """Close every socket that is still open."""
        for seat in self._seats:
            seat.abort()


@asynccontextmanager
async def open_watchdog() -> AsyncIterator[Watchdog]:
    """A watchdog that sweeps while the block runs, and closes all its seats when the block ends, however it ends."""
    watchdog = Watchdog()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.sweep_forever)
        try:
            yield watchdog
        finally:
            watchdog.close()
            nursery.cancel_scope.cancel()
