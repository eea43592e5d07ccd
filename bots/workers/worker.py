"""Be a worker of a cluster: ``casino worker ADDRESS``."""

import asyncio
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import Any

from bots.workers.build import build_name
from bots.workers.cluster import load_distributed, scheduler_address
from bots.workers.computing import WorkersError


def work_for(address: str, jobs: int | None, patience: float) -> None:
    """Compute for a scheduler until it ends, or until this process is told to end (SIGINT, SIGTERM).

    Args:
        address: of the scheduler.
        jobs: processes; as many as processors if None.
        patience: seconds to go on trying while the scheduler is not up yet.

    Raises:
        BadClusterError: that is no address.
        WorkersError: nobody answers there, or the scheduler went away.
    """
    scheduler_address(address)
    distributed = load_distributed()
    asyncio.run(_work(distributed, address, jobs or len(os.sched_getaffinity(0)), patience))


async def _work(distributed: Any, address: str, jobs: int, patience: float) -> None:
    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    try:
        scheduler = await distributed.core.connect(address, timeout=patience)
    except OSError:
        raise WorkersError(f"no scheduler answers at {address}; start one there with `dask scheduler`") from None
    keepers = [_Keeper(distributed, address) for _ in range(jobs)]
    keeping: list[asyncio.Future[None]] = []
    try:
        await asyncio.gather(*[keeper.start() for keeper in keepers])
        count = "1 worker" if jobs == 1 else f"{jobs} workers"
        print(f"casino: {count} for {address}, with {build_name()}; Ctrl-C ends", file=sys.stderr, flush=True)
        keeping += [asyncio.ensure_future(keeper.keep()) for keeper in keepers]
        gone = await _gone(scheduler, told)
    finally:
        scheduler.abort()
        for one in keeping:
            one.cancel()
        await asyncio.gather(*[keeper.close() for keeper in keepers])
    if gone:
        raise WorkersError(f"the scheduler at {address} is gone")


class _Keeper:
    """Keeps one worker up, in a process of its own.

    A nanny of ``distributed`` starts a process again that died. But where the scheduler gave the worker up, as it does
    with a machine that stood still for minutes, the nanny ends too, and another one is needed to join again.
    """

    def __init__(self, distributed: Any, address: str) -> None:
        self._distributed = distributed
        self._address = address
        self._nanny: Any = None

    async def start(self) -> None:
        """Start a worker, and wait until it has joined.

        Raises:
            WorkersError: it cannot be started, or the scheduler has ended.
        """
        # One thread: games are played in Python, in which threads of a process would wait for each other.
        offered = {"nthreads": 1, "resources": {build_name(): 1}, "silence_logs": logging.CRITICAL}
        self._nanny = self._distributed.Nanny(self._address, dashboard=False, **offered)
        try:
            await self._nanny
        except (OSError, RuntimeError) as error:
            raise WorkersError(f"a worker for {self._address} cannot be started: {error}") from None

    async def keep(self) -> None:
        """Join again each time the scheduler has given the worker up, until this is cancelled or the scheduler ends."""
        while True:
            await self._nanny.finished()
            with suppress(WorkersError):  # a scheduler that has ended is told by the connection to it
                await self.start()
                print(
                    f"casino: {self._address} had given up a worker of this machine; it has joined again",
                    file=sys.stderr,
                    flush=True,
                )

    async def close(self) -> None:
        """End the worker."""
        if self._nanny is not None:
            await self._nanny.close()


async def _gone(scheduler: Any, told: asyncio.Event) -> bool:
    """Wait until the connection ends (true), or until this process is told to end (false)."""
    waiting = asyncio.ensure_future(told.wait())
    reading = asyncio.ensure_future(scheduler.read())
    done, left = await asyncio.wait((waiting, reading), return_when=asyncio.FIRST_COMPLETED)
    for one in left:
        one.cancel()
    if reading in done:
        reading.exception()  # that the connection is closed is all there is to know
    return waiting not in done
