"""Thousands of damaged replies to questions: only who sent them hears of it."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.drills import table
from tests.drills.dealer import MANY, SERVE, facts_of, ports
from tests.drills.soak import verified
from tests.drills.table import TablePlan
from tests.end_to_end.casino import start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="many loopback addresses are Linux's")

HONEST = ("honest-1", "honest-2", "honest-3")
BABBLERS = ("babbler-1", "babbler-2", "babbler-3")


@pytest.mark.parametrize("hands", [1000, pytest.param(10_000, marks=pytest.mark.heavy)])
async def test_replies_damaged_in_any_way_hurt_nobody_else(hands: int, tmp_path: Path) -> None:
    journal = tmp_path / "babble.journal"
    flags = ("--seats", 6, "--hands", hands, "--stack", MANY, "--lives", MANY, "--limit", 30)
    words = map(str, (*SERVE, *flags, "--log-level", "error", "--journal", journal))
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        plan = TablePlan(*await ports(running), HONEST, babblers=BABBLERS)
        seen = await facts_of(table.command(plan))
        outcome = await running.ended()
    faults = {standing["id"]: standing["faults"] for standing in json.loads(outcome.out)["standings"]}
    kinds = Counter(fault["kind"] for id_ in BABBLERS for fault in faults[id_])
    print(f"{seen['decisions']:,} replies, of which damaged and refused: {dict(kinds)}")
    assert outcome.code == 0
    assert {id_: faults[id_] for id_ in HONEST} == {id_: [] for id_ in HONEST}
    assert kinds["malformed"] > hands
    assert set(kinds) <= {"malformed", "illegal", "unasked"}
    assert all(reason.startswith("the tournament is over") for reason in seen["done"].values())
    assert await verified(journal) == hands
