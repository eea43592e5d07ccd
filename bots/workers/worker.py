"""Be a worker of a cluster: ``casino worker ADDRESS``."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from bots.workers.build import build_name
from bots.workers.cluster import load_distributed, scheduler_address
from dealer.cli.processes import safe_path
from dealer.errors import WorkersError

Value = TypeVar("Value")

#: Seconds between two tries to reach a scheduler that ended a connection at once.
RETRY_SECONDS = 0.5


def work_for(address: str, jobs: int | None, patience: float) -> None:
    """Compute for a scheduler until it ends, or until this process is told to end (SIGINT, SIGTERM).

    Args:
        address: of the scheduler.
        jobs: processes; as many as processors if None.
        patience: seconds to go on trying while the scheduler cannot be reached, at the start or later.

    Raises:
        BadClusterError: that is no address.
        WorkersError: nobody has answered there for so long.
    """
    scheduler_address(address)
    distributed = load_distributed()
    with safe_path():
        asyncio.run(_work(distributed, address, jobs or len(os.sched_getaffinity(0)), patience))


async def _work(distributed: Any, address: str, jobs: int, patience: float) -> None:
    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    keepers = [_Keeper(distributed, address) for _ in range(jobs)]
    keeping: list[asyncio.Future[None]] = []
    try:
        while (scheduler := await _unless_told(told, _reach(distributed, address, patience))) is not None:
            if not keeping:
                await asyncio.gather(*[keeper.start() for keeper in keepers])
                keeping = [asyncio.ensure_future(keeper.keep()) for keeper in keepers]
                count = "1 worker" if jobs == 1 else f"{jobs} workers"
                _say(f"{count} for {address}, with {build_name()}; Ctrl-C ends")
            await _unless_told(told, _lose(scheduler))
            if not told.is_set():
                _say(f"the connection to {address} is lost; trying for {patience:g} s to reach it again")
    finally:
        for one in keeping:
            one.cancel()
        await asyncio.gather(*[keeper.close() for keeper in keepers])


async def _reach(distributed: Any, address: str, patience: float) -> Any:
    """A connection to the scheduler.

    Raises:
        WorkersError: nobody has answered within ``patience`` seconds.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + patience
    while True:
        try:
            return await distributed.core.connect(address, timeout=max(deadline - clock(), 0))
        except OSError:
            # A scheduler that is just ending may accept a connection and end it: that uses up no patience.
            if clock() + RETRY_SECONDS > deadline:
                why = f"no scheduler answers at {address}; start one there with `dask scheduler`"
                raise WorkersError(why) from None
        await asyncio.sleep(RETRY_SECONDS)


async def _lose(connection: Any) -> None:
    """Wait until a connection ends, on which nothing is sent: the scheduler has ended, or the network between."""
    try:
        with suppress(OSError):
            await connection.read()
    finally:
        connection.abort()


async def _unless_told(told: asyncio.Event, doing: Coroutine[None, None, Value]) -> Value | None:
    """What ``doing`` returns; None if this process is told to end before that."""
    waiting, working = asyncio.ensure_future(told.wait()), asyncio.ensure_future(doing)
    await asyncio.wait((waiting, working), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if working.done():
        return working.result()
    working.cancel()
    await asyncio.wait((working,))
    return None


def _say(text: str) -> None:
    print(f"casino: {text}", file=sys.stderr, flush=True)


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
                _say(f"{self._address} had given up a worker of this machine; it has joined again")

    async def close(self) -> None:
        """End the worker."""
        if self._nanny is not None:
            await self._nanny.close()
