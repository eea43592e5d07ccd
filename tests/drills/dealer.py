"""A real dealer process under observation, and the other processes of a drill."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import trio

from tests.drills.plan import SEED, VARIABLE
from tests.end_to_end.casino import ENVIRONMENT, Running, run
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
SERVE = ("serve", "stud", "--host", "127.0.0.1", "--port", "0", "--line-port", "0", "--json", "--no-page")
#: Descriptors that a dealer opens for a moment, such as to see whether its journal is still the same file.
MOMENTARY = 2
#: Hands that nobody waits for, or chips that nobody loses.
MANY = str(10**9)

SAMPLE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Sample:
    """Seconds into the watch, resident memory in bytes, open descriptors."""

    at: float
    memory: int
    descriptors: int


@dataclass(slots=True)
class Watch:
    """What a process has held, over time."""

    process: psutil.Process
    samples: list[Sample] = field(default_factory=list)

    async def look_on(self, every: float = SAMPLE_SECONDS) -> None:
        """Look again and again, until the process ends or this is cancelled."""
        start = trio.current_time()
        with suppress(psutil.Error):
            while True:
                self.samples.append(Sample(trio.current_time() - start, self.memory(), self.descriptors()))
                await trio.sleep(every)

    def memory(self) -> int:
        return int(self.process.memory_info().rss)

    def descriptors(self) -> int:
        return int(self.process.num_fds())

    async def settled(self, descriptors: int) -> int:
        """How many descriptors are open, once that is as many as expected or time is up."""
        with trio.move_on_after(PATIENCE):
            while self.descriptors() != descriptors:
                await trio.sleep(SAMPLE_SECONDS)
        return self.descriptors()

    @property
    def seconds(self) -> float:
        return self.samples[-1].at

    def growth(self, warm: float) -> tuple[int, int]:
        """Bytes held when ``warm`` seconds were over, and the most held after that."""
        before = [sample.memory for sample in self.samples if sample.at <= warm]
        after = [sample.memory for sample in self.samples if sample.at > warm]
        return before[-1], max(after)


async def ports(running: Running) -> tuple[int, int]:
    """Those of the doors for frames and for lines, of a dealer whose standard output is left to JSON."""
    await running.complaint_with("lines of text")
    lines = running.err.decode().replace(")", " ").splitlines()
    first, second = (line.split() for line in lines if " port " in line)
    return int(first[-1]), int(second[-1])


async def facts_of(command: Sequence[str]) -> dict[str, Any]:
    """What a process of the drill prints at its end; its complaints go where ours go."""
    done = await trio.run_process(command, capture_stdout=True, cwd=ROOT, env={**ENVIRONMENT, VARIABLE: SEED})
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


async def verified(journal: Path) -> int:
    """Check the journal with the command that everybody has; how many hands it holds."""
    outcome = await run("verify", journal, "--json")
    assert outcome.code == 0, outcome.err
    facts = json.loads(outcome.out)
    assert facts["finished"]
    hands: int = facts["hands"]
    return hands
