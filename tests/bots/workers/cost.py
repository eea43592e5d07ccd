"""Measure what simulations of different length cost, shared or not: ``python -m tests.bots.workers.cost``."""

import os
import subprocess
import sys
from time import perf_counter

#: Hands of a game of Blockhead.
HANDS = 100

#: How the work is shared, as flags.
WAYS = {"one process": (), "--cluster local:1": ("--cluster", "local:1"), "--cluster local:2": ("--cluster", "local:2")}


def run(hands: int, flags: tuple[str, ...]) -> tuple[float, float, str]:
    """Seconds by the clock and of processors, of all processes together, and what was printed."""
    words = [
        "simulate",
        "blockhead",
        "alpha",
        "maniac",
        "--hands",
        str(HANDS),
        "--games",
        str(hands // HANDS),
        "--json",
    ]
    before, began = os.times(), perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "dealer.main", *words, *flags], capture_output=True, text=True, check=True
    )
    passed, after = perf_counter() - began, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return passed, used, done.stdout


def main(most: int) -> None:
    """Print a row for each length up to ``10 ** most`` hands."""
    run(HANDS, ())  # the kernel is compiled
    print(
        f"{'hands':>12}  {'way':18} {'seconds':>8} {'processor':>10} {'us a hand':>10}  load {os.getloadavg()[0]:.1f}"
    )
    for power in range(5, most + 1):
        results = set()
        for way, flags in WAYS.items():
            passed, used, printed = run(10**power, flags)
            results.add(printed)
            print(f"{10**power:12,}  {way:18} {passed:8.1f} {used:10.1f} {used * 1e6 / 10**power:10.2f}", flush=True)
        assert len(results) == 1, "the result depends on who computes"
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8)
