"""Add up what workers find, shard by shard in the order of the shards, until all are in or the result is clear."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from bots.simulation.checkpoint import Checkpoint
from bots.simulation.plan import SimulationError
from bots.workers.computing import LOCAL, Shard, Workers

Result_contra = TypeVar("Result_contra", contravariant=True)


class Fold(Protocol[Result_contra]):
    """What results are added up to."""

    @property
    def over(self) -> bool:
        """Whether no more results are wanted."""

    def add(self, number: int, result: Result_contra) -> None:
        """Take the result of shard ``number`` into account, after those of all shards before it."""

    def kept(self) -> Any:
        """The sum so far, as values of JSON."""

    def restore(self, kept: Any) -> None:
        """Begin with such a sum."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How a simulation is computed.

    Attributes:
        workers: who computes.
        checkpoint: a file for what is found so far, from which to go on if it is there; None keeps nothing.
    """

    workers: Workers = LOCAL
    checkpoint: Path | None = None


#: In this process, and nothing is kept.
HERE = Keeping()


def fold_shards(
    computed: Keeping,
    about: Mapping[str, Any],
    function: Callable[[Shard], Result_contra],
    shards: Sequence[Shard],
    fold: Fold[Result_contra],
) -> None:
    """Compute shards and add up their results, with a progress bar on standard error.

    Args:
        computed: how.
        about: all on which the sum depends, as values of JSON.
        function: of a shard.
        shards: what is to be computed.
        fold: is given the results.

    Raises:
        SimulationError: the checkpoint cannot be used.
        WorkersError: nobody can compute.
        Exception: what ``function`` raised.
    """
    kept = None if computed.checkpoint is None else Checkpoint.open(computed.checkpoint, about)
    done = 0
    if kept is not None and kept.kept is not None:
        done = kept.done
        try:
            fold.restore(kept.kept)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise SimulationError(f"{computed.checkpoint} is damaged ({error!r}); name another file") from None
    if fold.over or done == len(shards):
        return
    with closing(computed.workers.compute(function, shards[done:])) as results:
        shown = _with_progress(results, computed.workers, done, len(shards))
        for number, result in enumerate(shown, done):
            fold.add(number, result)
            last = fold.over or number + 1 == len(shards)
            if kept is not None and (last or kept.is_due()):
                kept.keep(number + 1, fold.kept())
            if fold.over:
                break


def _with_progress(results: Iterable[Any], workers: Workers, done: int, total: int) -> Iterator[Any]:
    """Show a bar on standard error, with who computes at the moment."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from results
        return
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(f"playing {workers.told}", completed=done, total=total)
        for result in results:
            yield result
            bar.update(task, advance=1, description=f"playing {workers.told}")


class Summand(Protocol):
    """A tally that can be added to another and kept as values of JSON."""

    def merge(self, other: Self) -> None:
        """Take another tally into account."""

    def kept(self) -> Any:
        """The tally as values of JSON."""

    def restore(self, kept: Any) -> None:
        """Become the tally that such values hold."""


Tallied = TypeVar("Tallied", bound=Summand)


class SumsFold(Generic[Tallied]):
    """One tally for each of several plans, whose shards follow one another.

    Attributes:
        over: see ``Fold``.
    """

    over = False

    def __init__(self, tallies: Sequence[Tallied], shards: Sequence[int]) -> None:
        """Begin with empty tallies; ``shards`` is how many shards each plan has."""
        self.tallies = tallies
        self._plans = [plan for plan, count in enumerate(shards) for _ in range(count)]

    def add(self, number: int, result: Tallied) -> None:
        self.tallies[self._plans[number]].merge(result)

    def kept(self) -> Any:
        return [tally.kept() for tally in self.tallies]

    def restore(self, kept: Any) -> None:
        for tally, one in zip(self.tallies, kept, strict=True):
            tally.restore(one)
