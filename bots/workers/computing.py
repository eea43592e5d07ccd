"""Compute the shards of a large simulation, and give the results in the order of the shards.

What a shard computes depends on the shard alone, and results are taken in the order of the shards. So no result depends
on how many workers there are, on which of them computed what, or on which was the first to finish.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from dealer.cli.processes import open_processes
from dealer.errors import UsageError

Shard = TypeVar("Shard")
Result = TypeVar("Result")


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


@dataclass(frozen=True, slots=True)
class LocalWorkers:
    """This process, or processes of this machine."""

    jobs: int = 1

    @property
    def told(self) -> str:
        return f"in {self.jobs} processes" if self.jobs > 1 else "in this process"

    def compute(self, function: Callable[[Shard], Result], shards: Sequence[Shard]) -> Generator[Result, None, None]:
        with open_processes(min(self.jobs, len(shards))) as each:
            yield from each(function, shards)


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
