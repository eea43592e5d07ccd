"""Compute shards on a cluster of dask ``distributed``, whose workers may be on other machines, join late or die.

A shard whose worker dies is computed again by another one. Only workers with the build of this installation are used:
each offers it as a resource (see ``worker.py``), and every shard asks for that resource.
"""

import logging
import re
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence, Set
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from bots.workers.build import PROJECT, build_name
from bots.workers.computing import BadClusterError, Result, Shard, Workers
from dealer.cli.processes import interrupts_held_back, kill_children, safe_path
from dealer.errors import WorkersError

#: Seconds after which a scheduler that cannot be reached is taken for absent.
CONNECT_SECONDS = 5.0

#: Seconds between two looks at the cluster while a result is waited for.
LOOK_SECONDS = 1.0

#: Seconds after which a computed result that has not come is asked for again: its worker may be gone.
FETCH_SECONDS = 10.0

#: Shards under way for each worker, and at least. More than one, so that no worker waits for this process.
AHEAD_EACH, AHEAD_LEAST = 3, 8

#: Nobody looks at the statistics of ``distributed``. A worker's profiler samples it a hundred times a second, and all
#: processes look fifty times a second whether they are late: two thirds of what an idle cluster costs.
UNWATCHED = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}

#: Processes of ``local:N`` at most.
MOST_LOCAL = 256

EXPECTED = (
    f"--cluster takes tcp://HOST:PORT, the address of a scheduler, or local:N for N processes of this machine "
    f"(1 to {MOST_LOCAL})"
)


def load_distributed() -> Any:
    """The package ``distributed``, which takes a second to import, without its own messages on standard error.

    Raises:
        WorkersError: it is not installed.
    """
    try:
        import dask  # noqa: PLC0415
    except ImportError:
        raise WorkersError("a cluster needs more: pip install '.[cluster]' in the folder of Casino Day") from None
    # What goes wrong is told in the sentences of this module; theirs are tracebacks. Read when the package is imported.
    loggers = ("distributed", "distributed.client", "tornado", "tornado.application")
    dask.config.set({"logging": dict.fromkeys(loggers, "critical"), **UNWATCHED})
    import distributed  # noqa: PLC0415

    return distributed


def scheduler_address(text: str) -> str:
    """The address ``tcp://HOST:PORT`` of a scheduler.

    Raises:
        BadClusterError: it is not an address.
    """
    try:
        parts = urlsplit(text)
        whole = parts.scheme == "tcp" and parts.hostname and parts.port and not (parts.path or parts.query)
    except ValueError:
        whole = False
    if not whole:
        raise BadClusterError(f"expected the address of a scheduler, tcp://HOST:PORT, got {text!r}")
    return text


def _processes(text: str) -> int | None:
    """The number in ``local:N``; None if it is something else."""
    found = re.fullmatch(r"local:([0-9]{1,4})", text)
    return int(found[1]) if found and 1 <= int(found[1]) <= MOST_LOCAL else None


@contextmanager
def open_cluster(where: str) -> Iterator[Workers]:
    """The workers of a scheduler, or processes that are started for this command.

    Args:
        where: ``tcp://HOST:PORT`` or ``local:N``.

    Raises:
        BadClusterError: it is neither.
        WorkersError: the scheduler cannot be reached, or has no worker with this build.
    """
    count = _processes(where)
    if count is None:
        try:
            scheduler_address(where)
        except BadClusterError:
            raise BadClusterError(f"{EXPECTED}; got {where!r}") from None
    distributed = load_distributed()
    with ExitStack() as opened:
        scheduler = where if count is None else opened.enter_context(_local_cluster(distributed, count))
        try:
            client = opened.enter_context(distributed.Client(scheduler, timeout=CONNECT_SECONDS))
        except OSError:
            raise WorkersError(
                f"no scheduler answers at {where}; start one there with `dask scheduler`, or mend the address"
            ) from None
        workers = ClusterWorkers(distributed, client, where)
        workers.check()
        yield workers


@contextmanager
def _local_cluster(distributed: Any, count: int) -> Iterator[Any]:
    """A scheduler in this process, with so many processes.

    Raises:
        WorkersError: they cannot be started.
    """
    with ExitStack() as opened:
        opened.enter_context(safe_path())
        try:
            with interrupts_held_back():
                cluster = distributed.LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    resources={build_name(): 1},
                    silence_logs=logging.CRITICAL,
                    # Without a port of its own it would warn where another scheduler of this machine has the usual one.
                    scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
                )
        except (OSError, RuntimeError) as error:
            raise WorkersError(f"{count} processes cannot be started here: {error}") from None
        opened.enter_context(cluster)
        # Each nanny would give its process four seconds to compute what nobody wants any more, or start it again.
        opened.callback(kill_children)
        for nanny in cluster.workers.values():
            opened.callback(nanny.close_gracefully)
        yield cluster


class ClusterWorkers:
    """The workers of a scheduler that have the build of this installation."""

    def __init__(self, distributed: Any, client: Any, where: str) -> None:
        self._distributed = distributed
        self._client = client
        self._where = where
        self._missed = False
        self._looked = 0.0
        self._seen: Mapping[str, Mapping[str, Any]] | None = None

    def check(self) -> None:
        """Make sure that a worker can compute; tell of those that cannot.

        Raises:
            WorkersError: there is none; the text says what to do.
        """
        known, fit = self._known(), self._fit()
        others = sorted({_build_of(facts) for facts in known.values()} - {build_name()})
        if not known:
            raise WorkersError(
                f"no worker has joined the scheduler at {self._where}; start one with `casino worker {self._where}`"
            )
        if not fit:
            raise WorkersError(
                f"no worker at {self._where} has this build, {build_name()}; they have {', '.join(others)}. Install "
                "the same version with the same extras there, and start them with `casino worker`"
            )
        if len(fit) < len(known):
            print(
                f"casino: {len(known) - len(fit)} of {len(known)} workers are not used, since they have another build "
                f"({', '.join(others)}) than {build_name()}",
                file=sys.stderr,
            )

    @property
    def told(self) -> str:
        count = len(self._fit())
        return f"on {count} worker{'s' if count != 1 else ''}"

    def compute(self, function: Callable[[Shard], Result], shards: Sequence[Shard]) -> Generator[Result, None, None]:
        run, ahead = uuid4().hex, deque[Any]()
        try:
            for number, shard in enumerate(shards):
                ahead.append(
                    self._client.submit(function, shard, key=f"{run}-{number}", resources={build_name(): 1}, pure=False)
                )
                if len(ahead) >= max(AHEAD_EACH * len(self._fit()), AHEAD_LEAST):
                    yield self._result(ahead.popleft())
            while ahead:
                yield self._result(ahead.popleft())
        finally:
            for future in ahead:
                future.release()  # where nobody wants a shard any more, its scheduler forgets it

    def _result(self, future: Any) -> Any:
        while True:
            try:
                self._wait(future)
                return future.result(timeout=FETCH_SECONDS)
            except TimeoutError:
                if future.status == "error":  # the shard raised it
                    raise
                self._look()  # the worker that had the result is gone, and the shard is computed again
            except CancelledError:
                raise self._lost() from None
            except self._distributed.KilledWorker:
                raise WorkersError(
                    f"several workers at {self._where} died of the same shard, perhaps because memory ran out there"
                ) from None

    def _wait(self, future: Any) -> None:
        """Wait until a shard is computed, and look at the cluster now and then."""
        while not future.done():
            try:
                self._distributed.wait(future, timeout=LOOK_SECONDS)
            except TimeoutError:
                self._look()

    def _look(self) -> None:
        """Tell once if there is no worker any more."""
        if self._client.status not in ("running", "connecting"):
            raise self._lost()
        # While the connection to the scheduler is made anew, nobody knows what workers there are.
        missing = self._client.status == "running" and not self._fit()
        if missing and not self._missed:
            print(
                f"casino: no worker is left at {self._where}; this goes on as soon as one joins: "
                f"casino worker {self._where}",
                file=sys.stderr,
            )
        self._missed = missing

    def _lost(self) -> WorkersError:
        return WorkersError(
            f"the scheduler at {self._where} is gone, or the network to it was, and all unfinished shards with it. "
            "Make sure that it can be reached, and type the same command; it goes on from a --checkpoint if you gave "
            "one"
        )

    def _known(self) -> Mapping[str, Mapping[str, Any]]:
        """The facts of each worker by its address, as the scheduler told them within the last ``LOOK_SECONDS``."""
        if self._seen is not None and monotonic() < self._looked + LOOK_SECONDS:
            return self._seen
        try:
            known: Mapping[str, Mapping[str, Any]] = self._client.scheduler_info(n_workers=-1)["workers"]
        except OSError:
            raise self._lost() from None
        self._looked = monotonic()
        # While the connection to the scheduler is made anew, nobody knows what workers there are.
        if self._seen is not None and self._client.status == "running":
            before, now = _fitting(self._seen), _fitting(known)
            for address in sorted(before ^ now):
                change = "has joined" if address in now else "is lost; others compute its work"
                print(f"casino: the worker {address} {change}", file=sys.stderr)
        self._seen = known
        return known

    def _fit(self) -> Set[str]:
        return _fitting(self._known())


def _fitting(workers: Mapping[str, Mapping[str, Any]]) -> Set[str]:
    """The addresses of those that have this build."""
    return {address for address, facts in workers.items() if build_name() in facts["resources"]}


def _build_of(facts: Mapping[str, Any]) -> str:
    """The build that a worker offers."""
    return next((name for name in facts["resources"] if name.startswith(PROJECT)), "no Casino Day at all")
