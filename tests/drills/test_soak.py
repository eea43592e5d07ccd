"""A dealer that has made very many decisions holds no more than before, and every one of them is in its journal."""

import sys
from pathlib import Path

import pytest

from tests.drills.dealer import MOMENTARY
from tests.drills.figures import print_soaked
from tests.drills.soak import Soaked, run_soak, verified

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
