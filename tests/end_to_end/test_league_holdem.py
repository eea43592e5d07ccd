"""Leagues of hold'em in real processes: presets, limits, and many tables with blinds that rise."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.dealer.support.recorded import read_records
from tests.end_to_end.casino import run


async def play(path: Path, *words: str) -> dict[str, Any]:
    """The results of a league whose journal says the same."""
    outcome = await run("league", "holdem", *words, "--seed", "x", "--limit", "60", "--json", "--journal", path)
    assert (outcome.code, outcome.complaint) == (0, [])
    verdict = await run("verify", path)
    assert (verdict.code, verdict.complaint) == (0, [])
    facts: dict[str, Any] = json.loads(outcome.out)
    return facts


@pytest.mark.parametrize(
    "flags",
    [
        ("--preset", "royale"),
        pytest.param(("--preset", "cornell", "--hands", "20"), marks=pytest.mark.slow),
        pytest.param(("--betting", "fixed-limit", "--hands", "20", "--ante", "1"), marks=pytest.mark.slow),
        pytest.param(("--betting", "pot-limit", "--hands", "20", "--straddle", "20"), marks=pytest.mark.slow),
    ],
)
async def test_a_league_is_played_and_verified(flags: tuple[str, ...], tmp_path: Path) -> None:
    facts = await play(tmp_path / "j", "simple", "caller", "sklansky", *flags)
    assert sum(standing["chips"] for standing in facts["standings"]) == 3 * facts["agreed"]["stack"]
    assert not any(standing["faults"] for standing in facts["standings"])


async def test_many_tables_come_down_to_one_player_with_all_chips(tmp_path: Path) -> None:
    """Players move between tables, some of them to a seat where they wait for a hand."""
    bots = [bot for bot in ("caller", "random", "simple") for _ in range(4)]
    facts = await play(tmp_path / "j", *bots, "--table-size", "4", "--levels", "15")
    assert [standing["chips"] for standing in facts["standings"]] == [12_000] + [0] * 11
    types = Counter(record["type"] for record in read_records(tmp_path / "j"))
    assert (types["out"], types["move"] > 0, types["level"] > 0) == (11, True, True)
