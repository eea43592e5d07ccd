"""Interrupts: Ctrl-C stops at a good moment, and a second one stops at once."""

import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio


class Interrupts:
    """What SIGINT (Ctrl-C) and SIGTERM do: the first calls ``gently``, the second cancels everything.

    Attributes:
        gently: stops at the next good moment; may be replaced while the program goes on.
        count: how many interrupts there have been.
    """

    def __init__(self, gently: Callable[[], None]) -> None:
        self.gently = gently
        self.count = 0


@asynccontextmanager
async def open_interrupts(gently: Callable[[], None]) -> AsyncIterator[Interrupts]:
    """Handle interrupts while the block runs. The second cancels the block, and ``count`` is 2 afterwards."""
    interrupts = Interrupts(gently)
    # Open the receiver before anything is announced: a signal in between would kill the process.
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:

            async def obey() -> None:
                async for _ in signals:
                    interrupts.count += 1
                    if interrupts.count > 1:
                        nursery.cancel_scope.cancel()
                    else:
                        interrupts.gently()

            nursery.start_soon(obey)
            yield interrupts
            nursery.cancel_scope.cancel()
