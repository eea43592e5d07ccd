"""The chaos drill: honest bots play at a real dealer, while others do all they can to disturb them."""

import json
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgpack
import psutil
import trio
from hypothesis import HealthCheck, Phase, given, settings
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from protocol.wire.codec import encode
from tests.drills import attackers, table
from tests.drills.attackers import AttackPlan
from tests.drills.attacks import DAMAGED
from tests.drills.dealer import MANY, SERVE, Watch, facts_of, ports
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
