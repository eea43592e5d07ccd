"""A dealer whose tables two worker processes play, with players that are tasks of the test."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from dealer.journal.writer import Journal, open_journal
from dealer.settings import Settings
from dealer.tournament.opening import ResumedTournament, reopen_journal
from dealer.tournament.tournament import Tournament
from dealer.workers.worker_link import WorkerLink
from dealer.workers.workers import Workers, open_workers
from tests.dealer.support.rig import Rig, open_rig


@dataclass
class Hall:
    """The dealer.

    Attributes:
        rig: its lobby and its players.
        workers: who play its hands.
    """

    rig: Rig
    workers: Workers

    @property
    def links(self) -> list[WorkerLink]:
        """To the workers that play now, by their tables."""
        return self.workers._links

    def begin(self) -> Tournament:
        """Close the lobby; the tournament between those in it."""
        tournament = self.rig.begin()
        tournament.hand_players = self.workers
        return tournament


@asynccontextmanager
async def open_hall(settings: Settings, journal: Journal | None = None) -> AsyncIterator[Hall]:
    """A dealer whose lobby is open; everything in it ends with the block."""
    async with open_workers(2, "error") as workers, open_rig(settings, journal=journal) as rig:
        assert isinstance(workers, Workers)
        yield Hall(rig, workers)


@asynccontextmanager
async def reopen_hall(path: Path, procs: int) -> AsyncIterator[Hall]:
    """A dealer that plays on from a journal, with so many worker processes."""
    reopened = reopen_journal(path)
    resumed = ResumedTournament(reopened.rebuild, reopened.cut)
    async with (
        open_journal(reopened.file) as journal,
        open_workers(procs, "error") as workers,
        open_rig(resumed.settings, journal=journal, resumed=resumed) as rig,
    ):
        assert isinstance(workers, Workers)
        yield Hall(rig, workers)


async def until(holds: Callable[[], object]) -> None:
    """Wait until something holds, which other processes may bring about."""
    while not holds():
        await trio.sleep(0.01)
