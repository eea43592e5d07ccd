"""Honest bots notice nothing of what others do to the dealer, or of damaged replies."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.drills import table
from tests.drills.attackers import HANGING
from tests.drills.attacks import ATTACKS
from tests.drills.chaos import HONEST, Findings, print_findings, run_chaos
from tests.drills.dealer import MANY, MOMENTARY, SERVE, facts_of, ports, verified
from tests.drills.frames import MISDEEDS
from tests.drills.plan import Plan
from tests.drills.table import TablePlan
from tests.end_to_end.casino import start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="many loopback addresses are Linux's")

SHORT = Plan(seconds=4, phase=2, settling=1, lobby=2, limit=10, rate=60)
LONG = Plan(seconds=600, phase=15, settling=3, lobby=30, limit=10, rate=300)
ALONE = Plan(seconds=12, phase=3, settling=1, lobby=3, limit=10, rate=3000)
FRAMES = 1_000_000
GROWTH = 5_000_000


def check(findings: Findings) -> None:
    """What holds at any speed."""
    print_findings(findings)
    assert findings.outcome.code == 0
    assert findings.table["disturbed"] == []
    standings = findings.standings
    assert {id_: standings[id_]["faults"] for id_ in HONEST} == {id_: [] for id_ in HONEST}
    for id_ in HONEST:
        assert standings[id_]["left"] is None
        assert findings.table["done"][id_].startswith("the tournament is over")
    for id_, misdeed in MISDEEDS.items():
        assert [fault["kind"] for fault in standings[id_]["faults"]] == [misdeed.fault]
        assert standings[id_]["left"].startswith("you are out: ")
    for attack in (findings.lobby, findings.play):
        assert attack["connections"]
    assert findings.endings.total() == findings.connections
    assert HANGING not in findings.endings
    for before, after in (findings.lobby_descriptors, findings.play_descriptors):
        assert abs(after - before) <= MOMENTARY
    assert findings.growth < GROWTH


@pytest.mark.long
async def test_a_moment_of_chaos(tmp_path: Path) -> None:
    check(await run_chaos(SHORT, tmp_path))


@pytest.mark.heavy
async def test_ten_minutes_of_chaos(tmp_path: Path) -> None:
    findings = await run_chaos(LONG, tmp_path)
    check(findings)
    assert findings.damaged >= FRAMES


@pytest.mark.heavy
@pytest.mark.parametrize("kind", ATTACKS)
async def test_one_kind_of_attack_as_hard_as_it_goes(kind: str, tmp_path: Path) -> None:
    check(await run_chaos(replace(ALONE, kinds=(kind,)), tmp_path))


SOUND = ("honest-1", "honest-2", "honest-3")
BABBLERS = ("babbler-1", "babbler-2", "babbler-3")


@pytest.mark.parametrize("hands", [1000, pytest.param(10_000, marks=pytest.mark.heavy)])
async def test_replies_damaged_in_any_way_hurt_nobody_else(hands: int, tmp_path: Path) -> None:
    journal = tmp_path / "babble.journal"
    flags = ("--seats", 6, "--hands", hands, "--stack", MANY, "--lives", MANY, "--limit", 30)
    words = map(str, (*SERVE, *flags, "--log-level", "error", "--journal", journal))
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        plan = TablePlan(*await ports(running), SOUND, babblers=BABBLERS)
        seen = await facts_of(table.command(plan))
        outcome = await running.ended()
    faults = {standing["id"]: standing["faults"] for standing in json.loads(outcome.out)["standings"]}
    kinds = Counter(fault["kind"] for id_ in BABBLERS for fault in faults[id_])
    print(f"{seen['decisions']:,} replies, of which damaged and refused: {dict(kinds)}")
    assert outcome.code == 0
    assert {id_: faults[id_] for id_ in SOUND} == {id_: [] for id_ in SOUND}
    assert kinds["malformed"] > hands
    assert set(kinds) <= {"malformed", "illegal", "unasked"}
    assert all(reason.startswith("the tournament is over") for reason in seen["done"].values())
    assert await verified(journal) == hands
