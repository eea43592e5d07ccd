"""Play the tournaments of a series on the workers of a cluster, each as a whole on one of them.

What was compiled here goes with each tournament, so a worker needs no compiler. Workers have the kind of processor of
this machine (``bots/workers/build.py``).
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bots.bulk.checkpoint import Checkpoint
from bots.bulk.compile import Compiled
from bots.bulk.failures import Failure
from bots.bulk.plan import BulkError, Plan
from bots.bulk.played import Played
from bots.bulk.supervisor import Progress, play_series
from bots.workers.computing import Workers

#: Players that workers can play: what they need can be sent.
SENT = ("house", "native")


@dataclass(frozen=True, slots=True)
class Libraries:
    """What was compiled, as bytes; see ``Compiled``."""

    driver: bytes
    libraries: tuple[bytes | None, ...]

    @classmethod
    def of(cls, compiled: Compiled) -> "Libraries":
        """Read the files of ``compiled``."""
        return cls(compiled.driver.read_bytes(), tuple(one.read_bytes() if one else None for one in compiled.libraries))

    def write(self, folder: Path) -> Compiled:
        """Write them into a folder."""
        driver = folder / "driver.so"
        driver.write_bytes(self.driver)
        return Compiled(driver, tuple(self._written(folder)))

    def _written(self, folder: Path) -> Iterator[Path | None]:
        for number, library in enumerate(self.libraries):
            path = folder / f"player{number}.so"
            if library is not None:
                path.write_bytes(library)
            yield None if library is None else path


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament of a series, as a worker gets it."""

    plan: Plan
    number: int
    libraries: Libraries
    failures: dict[int, Failure]


def check_sent(plan: Plan) -> None:
    """Make sure that all players of a plan can play on workers.

    Raises:
        BulkError: one cannot.
    """
    if staying := [entrant.name for entrant in plan.entrants if entrant.kind not in SENT]:
        raise BulkError(
            f"{', '.join(staying)}: Python files and programs over TCP play on this machine only, because they need "
            "files of it; leave them out, or --cluster"
        )


def play_on_workers(
    plan: Plan, compiled: Compiled, workers: Workers, progress: Progress, checkpoint: Checkpoint | None
) -> list[Played]:
    """Play all tournaments of the series; see ``play_series``.

    Raises:
        BulkError: a worker cannot play at all, or the checkpoint cannot be written.
        WorkersError: nobody can compute.
    """
    known = checkpoint or Checkpoint.nowhere()
    libraries = Libraries.of(compiled)
    waiting = [number for number in range(plan.series) if number not in known.finished]
    tournaments = [Tournament(plan, number, libraries, known.failures_of(number)) for number in waiting]
    progress(len(known.finished) * plan.rounds, False)
    with closing(workers.compute(play_tournament, tournaments)) as playing:
        for played in playing:
            known.finish(played)
            progress(len(known.finished) * plan.rounds, False)
    return [known.finished[number] for number in range(plan.series)]


def play_tournament(one: Tournament) -> Played:
    """Play one tournament in a process of this machine.

    Raises:
        BulkError: it cannot be played.
    """
    known = Checkpoint.nowhere()
    known.fail(one.number, one.failures)
    with tempfile.TemporaryDirectory(prefix="casino-") as folder:
        compiled = one.libraries.write(Path(folder))
        play_series(one.plan, compiled, 1, lambda *_: None, checkpoint=known, numbers=[one.number])
    return known.finished[one.number]
