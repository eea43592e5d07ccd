"""The comparison that ``casino bench`` prints: equal loads on an echo and on the dealer, in turns, and their ratio.

A ratio within one round says more than two absolute figures: what else the machine does slows both alike.
"""

import json
from statistics import median
from typing import Any

import trio
from rich.console import Console
from rich.progress import track

from dealer.bench.measure import Load, Sample, measure_dealer, measure_echo, on_one_core
from dealer.cli.logs import configure_logs
from dealer.cli.tables import new_table
from dealer.errors import INTERRUPTED
from dealer.hosting.interrupts import SignalGuard, open_interrupts

#: What is measured of one load, by the keys that JSON has.
Facts = dict[str, Any]

#: The loads that are put on the echo and on the dealer.
LOADS = (
    Load("2 seats", 2, 1),
    Load("one table of 12", 12, 1),
    Load("100 connections, 12 tables", 100, 12),
    Load("heads-up fixed-limit hold'em", 2, 1, "holdem", {"betting": "fixed-limit"}),
    Load(
        "heads-up hold'em, ACPC protocol",
        2,
        1,
        "holdem",
        {"betting": "fixed-limit", "acpc": 1, "reset_stacks": 1},
        door="acpc",
    ),
)

#: The load with which the cost of the page is measured.
PAGE_LOAD = Load("20 tables of 8", 160, 20)

#: The browsers that watch the page in that measurement; None is no page.
VIEWERS = (None, 0, 20)


async def run_bench(seconds: float, rounds: int, as_json: bool) -> int:
    """Measure every load ``rounds`` times for ``seconds`` each, print the medians, and return the exit code."""
    with trio.CancelScope() as measuring:
        SignalGuard(measuring.cancel).install()
        async with open_interrupts(measuring.cancel):
            await _measure_and_print(seconds, rounds, as_json)
    return INTERRUPTED if measuring.cancelled_caught else 0


async def _measure_and_print(seconds: float, rounds: int, as_json: bool) -> None:
    configure_logs("error")
    samples: dict[tuple[Load, bool], list[tuple[Sample, Sample]]] = {}
    pages: dict[int | None, list[Sample]] = {viewers: [] for viewers in VIEWERS}
    steps = [load for _ in range(rounds) for load in (*LOADS, PAGE_LOAD)]
    for load in track(steps, "measuring", console=Console(stderr=True), transient=True):
        with on_one_core() as pinned:
            if load is PAGE_LOAD:
                for viewers, kept in pages.items():
                    kept.append(await measure_dealer(load, seconds, viewers=viewers))
            else:
                echo = await measure_echo(load, seconds)
                for journal in (True, False):
                    dealer = await measure_dealer(load, seconds, keeps_journal=journal)
                    samples.setdefault((load, journal), []).append((echo, dealer))
    rows = [_row(load, journal, pairs) for (load, journal), pairs in samples.items()]
    page = [_page_row(viewers, kept, pages[0]) for viewers, kept in pages.items()]
    if as_json:
        facts = {"pinned": pinned, "rounds": rounds, "loads": rows, "page": page}
        print(json.dumps(facts, indent=2))
    else:
        _print_rows(rows, pinned)
        _print_pages(page)


def _row(load: Load, journal: bool, pairs: list[tuple[Sample, Sample]]) -> Facts:
    """Medians over all rounds of one load; ``ratio`` is the median of the ratios within a round.

    ``journal`` is whether the dealer kept one. Without it, results can be told at once: that is the default of a
    league. Processor time is the server's, in microseconds a decision.
    """
    return {
        "load": load.name,
        "game": load.game,
        "door": load.door,
        "connections": load.connections,
        "tables": load.tables,
        "journal": journal,
        "decisions_per_second": median(dealer.decisions_per_second for _, dealer in pairs),
        "cpu_microseconds": median(dealer.cpu_microseconds for _, dealer in pairs),
        "echo_cpu_microseconds": median(echo.cpu_microseconds for echo, _ in pairs),
        "ratio": median(dealer.cpu_microseconds / echo.cpu_microseconds for echo, dealer in pairs),
    }


def _page_row(viewers: int | None, samples: list[Sample], unwatched: list[Sample]) -> Facts:
    """What the page costs, as medians over all rounds of one load.

    ``ratio`` is the median of the dealer's processor time in a round to that with a page that nobody watches.
    """
    pairs = zip(samples, unwatched, strict=True)
    return {
        "load": PAGE_LOAD.name,
        "connections": PAGE_LOAD.connections,
        "tables": PAGE_LOAD.tables,
        "viewers": viewers,
        "decisions_per_second": median(sample.decisions_per_second for sample in samples),
        "cpu_microseconds": median(sample.cpu_microseconds for sample in samples),
        "page_cpu_microseconds": median(sample.page_microseconds for sample in samples),
        "ratio": median(sample.cpu_microseconds / other.cpu_microseconds for sample, other in pairs),
    }


def _print_pages(rows: list[Facts]) -> None:
    table = new_table(f"What the page costs a decision, with {PAGE_LOAD.name}")
    table.add_column("Viewers")
    for heading in ("Each second", "Dealer us", "Ratio", "Page us"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            "no page" if row["viewers"] is None else str(row["viewers"]),
            f"{row['decisions_per_second']:,.0f}",
            f"{row['cpu_microseconds']:.1f}",
            f"{row['ratio']:.2f}",
            f"{row['page_cpu_microseconds']:.1f}",
        )
    Console().print(table)


def _print_rows(rows: list[Facts], pinned: bool) -> None:
    where = "server and programs on one core" if pinned else "not pinned to a core"
    table = new_table(f"Decisions that this machine can host, and the CPU time of each ({where})")
    table.add_column("Load", no_wrap=True)
    table.add_column("Journal")
    for heading in ("Each second", "Dealer us", "Echo us", "Ratio"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            row["load"],
            "yes" if row["journal"] else "no",
            f"{row['decisions_per_second']:,.0f}",
            f"{row['cpu_microseconds']:.1f}",
            f"{row['echo_cpu_microseconds']:.1f}",
            f"{row['ratio']:.2f}",
        )
    Console().print(table)
