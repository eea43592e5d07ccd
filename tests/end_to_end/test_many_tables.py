"""Leagues of many tables and of every format, in real processes: to one winner, and verified."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.dealer.support.recorded import read_records
from tests.end_to_end.casino import run

LEAGUE = ("league", "stud", "caller", "tight", "--seed", "x", "--limit", "60", "--json")


async def play(path: Path, *words: str) -> dict[str, Any]:
    """The results, of which the journal says the same."""
    outcome = await run(*LEAGUE, *words, "--journal", path)
    assert (outcome.code, outcome.complaint) == (0, [])
    verdict = await run("verify", path)
    assert (verdict.code, verdict.complaint) == (0, [])
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


@pytest.mark.parametrize(("programs", "tables"), [(20, 3), pytest.param(60, 8, marks=pytest.mark.heavy)])
async def test_programs_at_many_tables_come_down_to_one(programs: int, tables: int, tmp_path: Path) -> None:
    """The whole way: many processes, tables that are broken, antes that rise, one that has all chips."""
    path = tmp_path / "many.journal"
    facts = await play(path, "--players", str(programs), "--stack", "100", "--levels", "10")
    standings = facts["standings"]
    assert [standing["place"] for standing in standings[:2]] == [1, 2]
    assert [standing["left"] is None for standing in standings] == [True] + [False] * (programs - 1)
    assert sum(standing["chips"] for standing in standings) == 100 * programs
    assert not any(standing["faults"] for standing in standings)
    records = read_records(path)
    types = Counter(record["type"] for record in records)
    assert facts["tables"] == tables
    assert types["out"] == programs - 1
    assert types["move"] >= tables
    assert types["level"] > 0
    last = next(record for record in reversed(records) if record["type"] == "hand")
    assert len(last["players"]) == 2


@pytest.mark.parametrize(
    ("words", "rounds", "points"),
    [
        pytest.param(["--series", "2", "--levels", "3", "--stack", "20", "--players", "5"], 2, 2 * 10, id="series"),
        pytest.param(["--format", "round-robin", "--hands", "5", "--players", "4"], 3, 6, id="round robin"),
        pytest.param(["--format", "swiss", "--hands", "5", "--players", "5", "--rounds", "3"], 3, 3 * 3, id="swiss"),
    ],
)
async def test_standings_share_out_all_points_of_a_format(
    words: list[str], rounds: int, points: float, tmp_path: Path
) -> None:
    facts = await play(tmp_path / "format.journal", *words)
    assert facts["rounds"] == rounds
    told = [standing.get("series") or standing["pairings"] for standing in facts["standings"]]
    assert sum(standing["points"] for standing in told) == points
    assert [standing["points"] for standing in told] == sorted((s["points"] for s in told), reverse=True)
