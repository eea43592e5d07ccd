"""The chaos drill: honest bots play at a real dealer, while others do all they can to disturb them, also for long."""

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgpack
import psutil
import pytest
import trio
from hypothesis import HealthCheck, Phase, given, settings
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from protocol.wire.codec import encode
from tests.drills import attackers, table
from tests.drills.attackers import HANGING, AttackPlan
from tests.drills.attacks import ATTACKS, DAMAGED
from tests.drills.dealer import MANY, MOMENTARY, SERVE, Watch, facts_of, ports, verified
from tests.drills.frames import MISDEEDS
from tests.drills.plan import Plan, clock
from tests.drills.table import TablePlan
from tests.end_to_end.casino import Outcome, Running, start
from tests.patience import PATIENCE
from tests.protocol.helpers import commands, replies, texts

#: Messages that hypothesis makes up, of each sort; mutations make many of each. They are made here and not in the
#: process of the attackers, which need not wait for hypothesis.
EXAMPLES = 300


def made_up_texts() -> list[str]:
    """Messages of both directions, and any text at all, as hypothesis makes them: the same in every run."""
    made: list[str] = []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(texts, commands.map(encode), replies.map(encode))
    def collect(text: str, command: str, reply: str) -> None:
        made.extend((text, command, reply))

    collect()
    return made


#: Ids that no mutation of a recorded login hits by chance.
HONEST = tuple(f"honest-{number}-{number * 7919:x}" for number in range(1, 7))
THIEVES = tuple(f"thief-{number}" for number in range(8))


@dataclass(frozen=True, slots=True)
class Findings:
    """All that a drill has seen.

    Attributes:
        plan: what it was.
        table: the ``Seen`` of the table.
        lobby, play: what attackers did and how their connections ended, before and after the first hand.
        watch: the dealer's memory and descriptors during play.
        lobby_descriptors: open with everybody seated: before the attack on the lobby, and after it.
        play_descriptors: what should be open after the play's last attack, and what is.
        outcome: how the dealer ended.
    """

    plan: Plan
    table: dict[str, Any]
    lobby: dict[str, Any]
    play: dict[str, Any]
    watch: Watch
    lobby_descriptors: tuple[int, int]
    play_descriptors: tuple[int, int]
    outcome: Outcome

    @property
    def standings(self) -> dict[str, dict[str, Any]]:
        """The dealer's facts about each player, by id."""
        return {standing["id"]: standing for standing in json.loads(self.outcome.out)["standings"]}

    @property
    def frames(self) -> int:
        """Messages that attackers sent, right and wrong ones."""
        return sum(sum(attack["frames"].values()) for attack in (self.lobby, self.play))

    @property
    def damaged(self) -> int:
        """Those of them that are noise, made up, or parts of real sessions with changes."""
        return sum(attack["frames"].get(kind, 0) for attack in (self.lobby, self.play) for kind in DAMAGED)

    @property
    def connections(self) -> int:
        """Those that attackers opened, or wanted to."""
        return sum(sum(attack["connections"].values()) for attack in (self.lobby, self.play))

    @property
    def endings(self) -> Counter[str]:
        endings: Counter[str] = Counter()
        for attack in (self.lobby, self.play):
            for counts in attack["endings"].values():
                endings.update(counts)
        return endings

    @property
    def slowdown(self) -> dict[str, float]:
        """The 99th percentile of each time under attack, as a multiple of that in the calm."""
        return {
            measure: self.table[measure]["attack"]["p99"] / self.table[measure]["calm"]["p99"]
            for measure in ("hand_on", "own")
        }

    @property
    def growth(self) -> int:
        """Bytes of memory that the dealer took after the first calm and the first attack."""
        warm, most = self.watch.growth(2 * self.plan.phase)
        return most - warm


async def run_chaos(plan: Plan, folder: Path) -> Findings:
    """One drill, from the recording of a quiet session to the standings."""
    recording, made_up = folder / "session", folder / "made-up"
    await _record_session(recording)
    made_up.write_bytes(msgpack.packb(made_up_texts()))
    roster = folder / "roster"
    roster.write_text("\n".join([*HONEST, *MISDEEDS, *THIEVES]))
    flags = ("--hands", MANY, "--stack", MANY, "--roster", roster, "--limit", str(plan.limit))
    patience = plan.lobby + plan.seconds + PATIENCE
    journal = folder / "journal"
    async with start(*SERVE, *flags, "--journal", journal, patience=patience) as running:
        findings = await _attack(plan, running, recording, made_up)
    journal.unlink()  # ten minutes make a large one, and the soak plays its own again
    return findings


async def _attack(plan: Plan, running: Running, recording: Path, made_up: Path) -> Findings:
    doors = await ports(running)
    facts = asdict(plan)
    seen: dict[str, Any] = {}

    async def attack(plan: Plan, began: float | None) -> dict[str, Any]:
        orders = AttackPlan(doors, str(recording), str(made_up), asdict(plan), began, THIEVES)
        return await facts_of(attackers.command(orders))

    async def sit_down() -> None:
        seen.update(await facts_of(table.command(TablePlan(*doors, HONEST, tuple(MISDEEDS), plan=facts))))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(sit_down)
        seated = len(HONEST) + len(MISDEEDS)
        await running.complaint_with(f"({seated} here)")
        watch = Watch(psutil.Process(running.process.pid))
        before = watch.descriptors()
        lobby = await attack(replace(plan, seconds=2 * plan.lobby, phase=plan.lobby), None)
        lobby_descriptors = before, await watch.settled(before)
        began = await _press_enter(running)
        async with trio.open_nursery() as watching:
            watching.start_soon(watch.look_on)
            play = await attack(plan, began)
            watching.cancel_scope.cancel()
        only_honest = before - len(MISDEEDS)
        play_descriptors = only_honest, await watch.settled(only_honest)
        running.process.send_signal(signal.SIGINT)
        outcome = await running.ended()
    return Findings(plan, seen, lobby, play, watch, lobby_descriptors, play_descriptors, outcome)


async def _record_session(path: Path) -> None:
    """A short session without attackers, whose bytes attackers will misuse."""
    async with start(*SERVE, "--seats", "4", "--hands", "40", "--limit", "30", stdin=subprocess.DEVNULL) as running:
        await facts_of(table.command(TablePlan(*await ports(running), THIEVES[:4], record=str(path))))
        await running.ended()


async def _press_enter(running: Running) -> float:
    """Start the tournament; when it did."""
    assert running.process.stdin is not None
    await running.process.stdin.send_all(b"\n")
    await running.complaint_with("The tournament starts with")
    return clock()


WIDTH = 110
MEGABYTE = 1e6


def print_findings(findings: Findings) -> None:
    console = Console(width=WIDTH, highlight=False, markup=False)
    for title, attack in (("on the open lobby", findings.lobby), ("during play", findings.play)):
        console.print(_kinds(f"What attackers did {title}", attack))
    console.print(_endings(findings))
    console.print(_times(findings.table))
    console.print(_traitors(findings))
    warm, most = findings.watch.growth(2 * findings.plan.phase)
    console.print(f"Decisions: {findings.table['decisions']:,}")
    console.print(f"Frames of attackers: {findings.frames:,}, of which damaged or made up: {findings.damaged:,}")
    for measure, times in findings.slowdown.items():
        console.print(f"{measure}: the p99 under attack is {times:.2f} times that in the calm")
    console.print(
        f"The dealer's memory: {warm / MEGABYTE:.1f} MB after the first attack, then {most / MEGABYTE:.1f} MB at most"
    )
    console.print(
        "Open descriptors, before and after: lobby {} {}, play {} {}".format(
            *findings.lobby_descriptors, *findings.play_descriptors
        )
    )


def _table(title: str, first: str, headings: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, show_edge=False)
    table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _kinds(title: str, attack: Mapping[str, Any]) -> Table:
    table = _table(title, "Kind", ("Connections", "Frames", "kB", "Heard done:"))
    for kind, connections in attack["connections"].items():
        endings = attack["endings"].get(kind, {})
        heard = sum(count for how, count in endings.items() if how.startswith("done:"))
        numbers = (connections, attack["frames"].get(kind, 0), attack["bytes"].get(kind, 0) // 1000, heard)
        table.add_row(kind, *(f"{number:,}" for number in numbers))
    return table


def _endings(findings: Findings) -> Table:
    table = _table("How their connections ended", "Ending", ("Connections",))
    for how, count in findings.endings.most_common():
        table.add_row(how, f"{count:,}")
    return table


def _times(seen: Mapping[str, Any]) -> Table:
    table = _table("Reply to next question, in ms", "Measure", ("Count", "p50", "p99", "p99.9", "Longest"))
    for measure in ("hand_on", "own"):
        for phase, times in seen[measure].items():
            numbers = (times[name] for name in ("p50", "p99", "p999", "max"))
            cells = (f"{1000 * number:.3f}" if number else "-" for number in numbers)
            table.add_row(f"{measure}, {phase}", f"{times['count']:,}", *cells)
    return table


def _traitors(findings: Findings) -> Table:
    table = _table("Traitors", "Misdeed", ("After s", "Fault"))
    for misdeed, seconds in findings.table["betrayals"].items():
        kinds = [fault["kind"] for fault in findings.standings[misdeed]["faults"]]
        table.add_row(misdeed, f"{seconds:.1f}", " ".join(kinds))
    return table


# Honest bots notice nothing of what others do to the dealer, or of damaged replies.

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


# A dealer that has made very many decisions holds no more than before, and every one of them is in its journal.

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


#: The share of the run after which memory may grow no more.
WARM = 0.2
#: Python takes memory in arenas of 1 MiB, and may need another one at any time.
MOST_KEPT = 2_500_000


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
    assert most - warm < MOST_KEPT


async def test_a_small_soak(tmp_path: Path) -> None:
    await soak(20_000, tmp_path / "soak.journal")


@pytest.mark.heavy
async def test_a_million_decisions(tmp_path: Path) -> None:
    await soak(1_000_000, tmp_path / "soak.journal")
