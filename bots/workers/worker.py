"""Be a worker of a cluster: ``casino worker ADDRESS``."""

import asyncio
import logging
import os
import signal
import sys
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
    # One thread each: games are played in Python, in which threads of a process would wait for each other.
    offered = {"nthreads": 1, "resources": {build_name(): 1}, "silence_logs": logging.CRITICAL}
    nannies = [distributed.Nanny(address, dashboard=False, **offered) for _ in range(jobs)]
    try:
        await asyncio.gather(*nannies)
        count = "1 worker" if jobs == 1 else f"{jobs} workers"
        print(f"casino: {count} for {address}, with {build_name()}; Ctrl-C ends", file=sys.stderr, flush=True)
        gone = await _gone(scheduler, told)
    finally:
        scheduler.abort()
        await asyncio.gather(*[nanny.close() for nanny in nannies])
    if gone:
        raise WorkersError(f"the scheduler at {address} is gone")


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
