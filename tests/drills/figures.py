"""The figures of a drill as tables of plain text."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from tests.drills.chaos import Findings
from tests.drills.soak import Soaked

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
