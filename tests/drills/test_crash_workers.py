"""Worker processes of a league are killed at random, and its dealer above them: nothing is lost or played twice."""

import sys
from pathlib import Path

import pytest

from tests.drills.killing_workers import WorkersDrill

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hand sockets over")


async def test_a_league_survives_the_death_of_its_workers(tmp_path: Path) -> None:
    """No player has a fault for it, and every recorder hears every result once."""
    drill = WorkersDrill(tmp_path, hands=150, stack=5000, seed=4, agreed=("--table-size", "4"))
    await drill.play_to_the_end()
    print(drill.report())
    assert drill.worker_kills
    assert drill.found.counts["void"]
    assert drill.found.counts["hand"] == 450
    assert (drill.faults, drill.found.counts["out"]) == (0, 0)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(4))
async def test_a_league_survives_the_deaths_of_workers_and_dealer(seed: int, tmp_path: Path) -> None:
    drill = WorkersDrill(tmp_path, hands=1000, stack=5000, seed=seed, agreed=("--table-size", "4", "--levels", "300"))
    for _ in range(8):
        await drill.kill_once()
    await drill.play_to_the_end()
    print(drill.report())
    assert drill.kills["playing"]
    assert drill.worker_kills
    assert drill.faults == 0
