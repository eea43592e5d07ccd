"""Add up what workers find, shard by shard in the order of the shards, until all are in or the result is clear."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, Generic, Protocol, Self, TypeVar

from msgspec import convert, to_builtins

from bots.simulation.plan import SimulationError
from bots.workers.build import build_name
from bots.workers.computing import LOCAL, Shard, Workers
from bots.workers.kept_file import replace_file
from dealer.cli.tables import progress_bar
from protocol.files import parse_json, read_bytes
from protocol.plurals import listed

#: Seconds between two times at which the file is written, so that quick shards do not wait for the disk.
SAVE_SECONDS = 2.0

#: What is not given by a flag of its name, in words.
_WORDS = {"game": "the game", "bots": "the bots", "build": "the build of Casino Day"}

#: Where one of these differs, others differ because of it.
_DECIDING = ("game", "cross")


def _differences(names: Sequence[str]) -> str:
    """A clause that says what differs, such as ``the bots and --hands differ``."""
    words = [_WORDS.get(name, f"--{name.replace('_', '-')}") for name in names]
    return f"{listed(words)} {'differs' if len(names) == 1 and names != ['bots'] else 'differ'}"


class Checkpoint:
    """The file of a checkpoint.

    Attributes:
        done: how many shards are in the sum.
        kept: the sum, as ``Fold.kept`` gave it; None if there is none yet.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self._path = path
        self._about = about
        self.done = 0
        self.kept: Any = None
        self._saved = -inf

    @classmethod
    def open(cls, path: Path, about: Mapping[str, Any]) -> "Checkpoint":
        """The checkpoint in a file, or a new one if there is none.

        Args:
            about: all on which the result depends, as values of JSON.

        Raises:
            SimulationError: the file is no checkpoint, or that of another simulation, or cannot be written.
        """
        made = cls(path, json.loads(json.dumps({**about, "build": build_name()})))
        if not path.exists():
            made._write()  # now it is known whether the place takes a file, and the first shard is kept at once
            return made
        try:
            found = parse_json(read_bytes(path))
            about, made.done, made.kept = dict(found["simulation"]), int(found["shards"]), found["sum"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SimulationError(f"{path} is no checkpoint of a simulation ({error}); name another file") from None
        made._check(about)
        return made

    def _check(self, about: Mapping[str, Any]) -> None:
        differing = [name for name in {**self._about, **about} if about.get(name) != self._about.get(name)]
        deciding = [name for name in _DECIDING if name in differing]
        if differing == ["build"]:
            raise SimulationError(
                f"{self._path} was written by another build of Casino Day ({about.get('build')}), whose games may "
                "differ; go on with that one, or name another file"
            )
        if differing:
            raise SimulationError(
                f"{self._path} is the checkpoint of another simulation: {_differences(deciding[:1] or differing)}; "
                "type what you typed then, or name another file"
            )

    def is_due(self) -> bool:
        """Whether the file is old enough to be written again."""
        return monotonic() >= self._saved + SAVE_SECONDS

    def keep(self, done: int, kept: Any) -> None:
        """Write the file anew.

        Raises:
            SimulationError: it cannot be written.
        """
        self.done, self.kept = done, kept
        self._write()
        self._saved = monotonic()

    def _write(self) -> None:
        try:
            replace_file(self._path, json.dumps({"simulation": self._about, "shards": self.done, "sum": self.kept}))
        except OSError as error:
            raise SimulationError(f"cannot write the checkpoint {self._path}: {error.strerror}") from None


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
        about: all on which the sum depends, as values of JSON.
        function: of a shard.

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
    """Show a bar, with who computes at the moment."""
    with progress_bar() as bar:
        task = bar.add_task(f"playing {workers.told}", completed=done, total=total)
        for result in results:
            yield result
            bar.update(task, advance=1, description=f"playing {workers.told}")


Kept = TypeVar("Kept")


def to_json(tally: Any) -> Any:
    """A tally, or several, as values of JSON."""
    return to_builtins(tally, str_keys=True)


def from_json(kept: Any, kind: type[Kept]) -> Kept:
    """What such values hold.

    Raises:
        ValueError: it is something else.
    """
    return convert(kept, kind, str_keys=True, dec_hook=_counter)


def _counter(_kind: type, kept: Any) -> Counter[int]:
    """The one type in a tally that JSON does not know."""
    return Counter(convert(kept, dict[int, int], str_keys=True))


class Summand(Protocol):
    """A tally that can be added to another."""

    def merge(self, other: Self) -> None:
        """Take another tally into account."""


Tallied = TypeVar("Tallied", bound=Summand)


class SumsFold(Generic[Tallied]):
    """One tally for each of several plans, whose shards follow one another."""

    over = False

    def __init__(self, tallies: Sequence[Tallied], shards: Sequence[int]) -> None:
        """Begin with empty tallies; ``shards`` is how many shards each plan has."""
        self.tallies = tallies
        self._plans = [plan for plan, count in enumerate(shards) for _ in range(count)]

    def add(self, number: int, result: Tallied) -> None:
        self.tallies[self._plans[number]].merge(result)

    def kept(self) -> Any:
        return to_json(self.tallies)

    def restore(self, kept: Any) -> None:
        for tally, one in zip(self.tallies, kept, strict=True):
            tally.merge(from_json(one, type(tally)))
