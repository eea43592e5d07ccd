"""A league whose worker processes are killed again and again at random, and now and then the dealer above them."""

import re
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import psutil
import trio

from tests.drills.killing import LeagueDrill
from tests.end_to_end.casino import Running, start

#: How far the journal grows from one death of a worker to the next, at most: some 40 hands. It is not measured in
#: seconds, since on a busy machine workers would be killed faster than others start in their place.
BYTES_BETWEEN = 12_000

#: The share of deaths that follow another at once, while a worker is started in the place of the dead one.
AT_ONCE = 0.2

#: What the dealer says of bots that fail.
FAILED = re.compile("ended with exit code|left before it was told done")

#: Seconds between two looks at the journal.
LOOK_SECONDS = 0.02


def workers_of(running: Running) -> list[psutil.Process]:
    """The worker processes of a dealer."""
    children = psutil.Process(running.process.pid).children()
    return [child for child in children if "dealer.workers" in child.cmdline()]


@dataclass
class WorkersDrill(LeagueDrill):
    """See ``LeagueDrill``. Every life of the dealer has another number of workers.

    Attributes:
        worker_kills: how many workers were killed.
        faults: of all players together, at the end.
    """

    tells_voids: ClassVar = True

    worker_kills: int = 0
    faults: int = 0

    @property
    def words(self) -> list[str]:
        """See ``LeagueDrill``."""
        return [*super().words, "--procs", str(self._rng.randint(2, 3))]

    async def _wait_for(self, moment: str, size: int, running: Running, began: float) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._kill_workers, running)
            await super()._wait_for(moment, size, running, began)
            nursery.cancel_scope.cancel()

    async def play_to_the_end(self) -> None:
        """See ``LeagueDrill``: workers are killed until it is over."""
        words = (*self.words, "--allow-failures")
        async with start(*words, stdin=subprocess.DEVNULL, CASINO_DRILL=self._mark) as running:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._kill_workers, running)
                await running.process.wait()
                nursery.cancel_scope.cancel()
            outcome = await running.ended()
        assert outcome.code == 0, outcome.err
        # A bot that takes longer to end than the dealer waits for it is no failure here: the machine may be busy.
        assert not [line for line in outcome.err.splitlines() if FAILED.search(line)], outcome.err
        await self._see_all_ended()
        self._examine()
        assert self.found.rebuild.ended
        self.faults = sum(len(player.faults) for player in self.found.rebuild.ledger.players)

    async def _kill_workers(self, running: Running) -> None:
        while True:
            if self._rng.random() >= AT_ONCE:
                enough = self._size() + self._rng.uniform(BYTES_BETWEEN / 4, BYTES_BETWEEN)
                while self._size() < enough:
                    await trio.sleep(LOOK_SECONDS)
            await trio.sleep(self._rng.uniform(0, LOOK_SECONDS))
            with suppress(psutil.Error, IndexError):
                self._rng.choice(workers_of(running)).kill()
                self.worker_kills += 1

    def report(self) -> str:
        """The figures."""
        return f"{super().report()}\nworkers killed   {self.worker_kills}; {self.faults} faults"
