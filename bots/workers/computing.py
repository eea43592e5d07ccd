"""Compute the shards of a large simulation, and give the results in the order of the shards.

What a shard computes depends on the shard alone, and results are taken in the order of the shards. So no result depends
on how many workers there are, on which of them computed what, or on which was the first to finish.
"""

import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from typing import Protocol, TypeVar

from dealer.errors import CasinoError, UsageError
from protocol.safe_path import safe_path

Shard = TypeVar("Shard")
Result = TypeVar("Result")


class WorkersError(CasinoError):
    """Work that could not be done, by no fault of the work; the text says what to do."""


class BadClusterError(UsageError):
    """Words after ``--cluster`` that cannot be used; the text says what was expected."""


class Workers(Protocol):
    """Who computes."""

    @property
    def told(self) -> str:
        """Who computes at the moment, for a progress bar, such as ``on 3 workers``."""

    def compute(self, function: Callable[[Shard], Result], shards: Sequence[Shard]) -> Generator[Result, None, None]:
        """The result of each shard, in their order. To close the generator is to give up the shards that are left.

        Args:
            function: of a module, which other processes can import.
            shards: values that can be pickled.

        Raises:
            WorkersError: nobody can compute.
            Exception: what ``function`` raised.
        """


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Take Ctrl-C after the block, and keep it from the threads and processes that are started in it for good.

    Ctrl-C reaches every process of the terminal's group, and this one ends the others, which would print a traceback
    each. Windows cannot keep it from them.
    """
    held_back: list[int] = []
    # A thread that is there already, of numpy for example, may take what this one has blocked, and Python handles it
    # here all the same.
    handler = signal.signal(signal.SIGINT, lambda number, _: held_back.append(number))
    try:
        with _interrupts_blocked():
            yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held_back:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # It is started with the first process otherwise, and lets interrupts through again where it is started.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(frozen=True, slots=True)
class LocalWorkers:
    """This process, or processes of this machine."""

    jobs: int = 1

    @property
    def told(self) -> str:
        return f"in {self.jobs} processes" if self.jobs > 1 else "in this process"

    def compute(self, function: Callable[[Shard], Result], shards: Sequence[Shard]) -> Generator[Result, None, None]:
        jobs = min(self.jobs, len(shards))
        if jobs <= 1:
            yield from map(function, shards)
            return
        with ExitStack() as opened:
            opened.enter_context(safe_path())
            with interrupts_held_back():
                pool = opened.enter_context(
                    get_context("spawn").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN))
                )
            yield from pool.imap(function, shards)


#: This process.
LOCAL = LocalWorkers()


@contextmanager
def open_workers(jobs: int, cluster: str | None) -> Iterator[Workers]:
    """The workers that the flags ``--jobs`` and ``--cluster`` name.

    Raises:
        BadClusterError: the words after ``--cluster`` cannot be used, or both flags are given.
        WorkersError: there is no such cluster, or it has no worker that can compute.
    """
    if cluster is None:
        yield LocalWorkers(jobs)
        return
    if jobs > 1:
        raise BadClusterError("--jobs is for processes of this command, and --cluster for others; leave one out")
    from bots.workers.cluster import open_cluster  # noqa: PLC0415 # it takes a second, and needs an extra

    with open_cluster(cluster) as workers:
        yield workers
