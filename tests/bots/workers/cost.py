"""Measure what simulations of different length cost, in one process and in two: ``python -m tests.bots.workers.cost``.

Prints the table of bots/docs/cluster.md, and what a hand more costs. The load beside it says how far the clock is to be
believed: on a busy machine a process waits for its turn, and only the processor time is its own.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

#: Hands of a game of Blockhead.
HANDS = 100

#: How the work is shared, as flags.
WAYS = {"one process": (), "`--jobs 2`": ("--jobs", "2"), "`--cluster local:2`": ("--cluster", "local:2")}

#: The first power of ten.
LEAST = 5


class Cost(NamedTuple):
    """What a simulation took.

    Attributes:
        processor: seconds of processors, of all its processes together.
        clock: seconds until it had ended.
    """

    processor: float
    clock: float


def run(hands: int, flags: tuple[str, ...]) -> tuple[Cost, str]:
    """The cost of a simulation, and what it printed."""
    words = ["simulate", "blockhead", "alpha", "maniac", "--hands", str(HANDS), "--games", str(hands // HANDS)]
    before, began = os.times(), perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "dealer.main", *words, "--json", *flags], capture_output=True, text=True, check=True
    )
    passed, after = perf_counter() - began, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(used, passed), done.stdout


def row(power: int) -> dict[str, Cost]:
    """The costs of ``10 ** power`` hands, the same in each way."""
    found = {way: run(10**power, flags) for way, flags in WAYS.items()}
    assert len({printed for _, printed in found.values()}) == 1, "the result depends on who computes"
    return {way: cost for way, (cost, _) in found.items()}


def table_row(power: int, costs: Mapping[str, Cost]) -> str:
    """A row of the table."""
    cells = [f"{cost.processor:.1f} | {cost.clock:.1f}" for cost in costs.values()]
    return f"| 10^{power} | {' | '.join(cells)} |"


def slopes(less: Mapping[str, Cost], more: Mapping[str, Cost], hands: int) -> str:
    """Microseconds of processor time that each of so many hands more cost."""
    return ", ".join(f"{way}: {(more[way].processor - less[way].processor) * 1e6 / hands:.2f}" for way in WAYS)


def main() -> None:
    """Print a row for each length."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.workers.cost", description=main.__doc__)
    parser.add_argument(
        "most",
        type=int,
        choices=range(LEAST, 10),
        nargs="?",
        default=8,
        help="of the longest: 10 to this power of hands (8)",
    )
    most = parser.parse_args().most
    run(HANDS, ())  # the kernel is compiled
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n")
    print(f"| hands | {' | '.join(f'{way}, processor | clock' for way in WAYS)} |")
    print("| --- " * (1 + 2 * len(WAYS)) + "|", flush=True)
    rows = {}
    for power in range(LEAST, most + 1):
        rows[power] = row(power)
        print(table_row(power, rows[power]), flush=True)
    print()
    for less, more in pairwise(rows):
        print(f"us a hand, from 10^{less} to 10^{more}: {slopes(rows[less], rows[more], 10**more - 10**less)}")
    print(f"load after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
