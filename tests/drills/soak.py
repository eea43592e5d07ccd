"""The soak: honest bots alone at a real dealer, for as many decisions as one likes."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import trio

from tests.drills import table
from tests.drills.dealer import MANY, SERVE, Watch, facts_of, ports
from tests.drills.table import TablePlan
from tests.end_to_end.casino import run, start
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


async def verified(journal: Path) -> int:
    """Check the journal with the command that everybody has; how many hands it holds."""
    outcome = await run("verify", journal, "--json")
    assert outcome.code == 0, outcome.err
    facts = json.loads(outcome.out)
    assert facts["finished"]
    hands: int = facts["hands"]
    return hands
