"""The dealer of a league is killed, again and again: nothing that was told is lost, and nothing is played twice."""

import sys
from pathlib import Path

import pytest

from tests.drills.killer import CHANGES
from tests.drills.killing import LeagueDrill
from tests.drills.killing_on_purpose import PurposeDrill, purpose_drill

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


async def survive(drill: LeagueDrill, kills: int) -> None:
    for _ in range(kills):
        await drill.kill_once()
    await drill.play_to_the_end()
    print(drill.report())


async def test_a_league_survives_its_dealers_death(tmp_path: Path) -> None:
    drill = LeagueDrill(tmp_path, hands=100, stack=5000, seed=3)
    await survive(drill, 2)
    assert drill.kills["playing"]


MANY = {
    "antes that rise": ("--table-size", "4", "--levels", "300"),
    "a series": ("--table-size", "5", "--levels", "10", "--series", "8"),
    "pairs": ("--format", "round-robin"),
}


@pytest.mark.heavy
@pytest.mark.parametrize("agreed", MANY.values(), ids=MANY.keys())
async def test_a_league_at_many_tables_survives_its_dealers_deaths(agreed: tuple[str, ...], tmp_path: Path) -> None:
    drill = LeagueDrill(tmp_path, hands=1000, stack=5000, seed=5, agreed=agreed)
    await survive(drill, 8)
    assert drill.kills["playing"]


@pytest.mark.heavy
async def test_a_league_survives_a_hundred_deaths_of_its_dealer(tmp_path: Path) -> None:
    drill = LeagueDrill(tmp_path, hands=4000, stack=100_000, seed=1)
    await survive(drill, 100)
    assert drill.found.counts["resume"] > 30
    assert drill.bitten


async def survive_players(drill: PurposeDrill, changes: list[str]) -> None:
    for change in changes:
        if not drill.found.counts["end"]:
            await drill.kill_at(change)
    if not drill.found.counts["end"]:
        await drill.play_to_the_end()
    print(drill.report())


async def test_nobody_gets_the_same_cards_again_after_a_kill_at_a_move(tmp_path: Path) -> None:
    drill = purpose_drill(tmp_path, seed=2)
    await survive_players(drill, ["move", "move"])
    assert drill.compared


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(4))
async def test_nobody_gets_the_same_cards_again_after_kills_on_purpose(seed: int, tmp_path: Path) -> None:
    drill = purpose_drill(tmp_path, seed=seed)
    await survive_players(drill, [*CHANGES, "move"] * 5)
    assert drill.compared
