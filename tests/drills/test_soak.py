"""A dealer that has made very many decisions holds no more than before, and every one of them is in its journal."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
import trio
from rich.console import Console

from tests.drills import table
from tests.drills.chaos import MEGABYTE, WIDTH
from tests.drills.dealer import MANY, MOMENTARY, SERVE, Watch, facts_of, ports, verified
from tests.drills.table import TablePlan
from tests.end_to_end.casino import start
from tests.patience import PATIENCE

PLAYERS = tuple(f"soak-{number}" for number in range(6))
#: At least, since nobody folds: everybody acts on both streets.
DECISIONS_A_HAND = 2 * len(PLAYERS)
#: A safety net: no machine is that slow unless something hangs.
SECONDS_A_DECISION = 0.005
SAMPLE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Soaked:
    """What was seen.

    Attributes:
        decisions: as the dealer counted them.
        hands: likewise.
        faults: of all players.
        watch: memory and descriptors from the first hand on.
    """

    decisions: int
    hands: int
    faults: list[Mapping[str, str]]
    watch: Watch


async def run_soak(decisions: int, journal: Path) -> Soaked:
    """Play for at least ``decisions``, watched."""
    hands = -(-decisions // DECISIONS_A_HAND)
    flags = ("--seats", len(PLAYERS), "--hands", hands, "--stack", MANY, "--limit", 30, "--journal", journal)
    patience = PATIENCE + decisions * SECONDS_A_DECISION
    async with start(*SERVE, *map(str, flags), stdin=subprocess.DEVNULL, patience=patience) as running:
        doors = await ports(running)
        watch = Watch(psutil.Process(running.process.pid))
        async with trio.open_nursery() as nursery:

            async def look_on() -> None:
                await running.complaint_with("The tournament starts with")
                await watch.look_on(SAMPLE_SECONDS)

            nursery.start_soon(look_on)
            await facts_of(table.command(TablePlan(*doors, PLAYERS)))
            nursery.cancel_scope.cancel()
        outcome = await running.ended()
    assert outcome.code == 0
    return _soaked(json.loads(outcome.out), watch)


def _soaked(facts: Mapping[str, Any], watch: Watch) -> Soaked:
    standings = facts["standings"]
    return Soaked(
        sum(standing["decisions"] for standing in standings),
        facts["hands"],
        [fault for standing in standings for fault in standing["faults"]],
        watch,
    )


def print_soaked(soaked: Soaked, warm: float) -> None:
    """How flat a soak was; ``warm`` is the share of it that counts as warming up."""
    watch = soaked.watch
    before, most = watch.growth(warm * watch.seconds)
    descriptors = [sample.descriptors for sample in watch.samples]
    console = Console(width=WIDTH, highlight=False, markup=False)
    console.print(f"{soaked.decisions:,} decisions in {soaked.hands:,} hands and {watch.seconds:.1f} s")
    first = watch.samples[0].memory / MEGABYTE
    console.print(
        f"The dealer's memory: {first:.1f} MB at the first hand, {before / MEGABYTE:.1f} MB when {warm:.0%} were over, "
        f"then {most / MEGABYTE:.1f} MB at most"
    )
    console.print(f"Open descriptors: {descriptors[0]} at the first hand, {max(descriptors)} at most")


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="many loopback addresses are Linux's")

#: The share of the run after which memory may grow no more.
WARM = 0.2
#: Python takes memory in arenas of 1 MiB, and may need another one at any time.
GROWTH = 2_500_000


async def soak(decisions: int, journal: Path) -> None:
    soaked = await run_soak(decisions, journal)
    print_soaked(soaked, WARM)
    assert soaked.decisions >= decisions
    assert soaked.faults == []
    assert await verified(journal) == soaked.hands
    check_flat(soaked)


def check_flat(soaked: Soaked) -> None:
    """Neither descriptors nor memory grow with the decisions."""
    samples = soaked.watch.samples
    assert max(sample.descriptors for sample in samples) <= samples[0].descriptors + MOMENTARY
    warm, most = soaked.watch.growth(WARM * soaked.watch.seconds)
    assert most - warm < GROWTH


async def test_a_small_soak(tmp_path: Path) -> None:
    await soak(20_000, tmp_path / "soak.journal")


@pytest.mark.heavy
async def test_a_million_decisions(tmp_path: Path) -> None:
    await soak(1_000_000, tmp_path / "soak.journal")
