"""Compare the speed of bulk tournaments with a plain C++ driver, in one run: ``python -m tests.bots.bulk.speed``.

All rates are million deals per second of processor time, by the median of several turns in which everybody plays once.
Between turns, so that what else the machine does meets all alike.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from bots.bulk.compile import CPP, Compiled, compile_all
from bots.bulk.plan import Plan
from bots.bulk.round_robin import make_plan
from bots.bulk.supervisor import play_series
from tests.bots.helpers import positive

PLAYERS = ["dice-four", "dice-price", "dice-luck", "caller", "dice-memory"]
PAIRS = 10
PLAIN = Path(__file__).with_name("plain_driver.cpp")


def compile_plain(folder: Path, *flags: str) -> Path:
    """Compile the plain driver."""
    path = folder / f"plain{len(flags)}"
    subprocess.run(["g++", "-O2", f"-I{CPP}", *flags, str(PLAIN), "-o", str(path)], check=True)
    return path


def plain_rate(program: Path, rounds: int) -> float:
    """Million deals a second of the plain driver."""
    said = subprocess.run([program, str(rounds)], check=True, capture_output=True, text=True).stdout.split()
    return float(said[0]) / float(said[1]) / 1e6


def bulk_rate(plan: Plan, compiled: Compiled, jobs: int = 1) -> float:
    """Million deals a second of a bulk tournament, of each process."""
    played = play_series(plan, compiled, jobs, lambda *_: None)
    return plan.series * plan.rounds * PAIRS / sum(one.play_seconds for one in played) / 1e6


def measure(turns: int, rounds: int) -> dict[str, float]:
    one, two = (make_plan(PLAYERS, [], [], rounds, series, "speed") for series in (1, 2))
    rates: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiled = compile_all(one.entrants, folder)
        slow, fast = compile_plain(folder), compile_plain(folder, "-DFAST")
        for _ in range(turns):
            for what, rate in {
                "plain C++ with rand()": plain_rate(slow, rounds),
                "plain C++ with a fast generator": plain_rate(fast, rounds),
                "compiled AIs": bulk_rate(one, compiled),
                "compiled AIs in two processes, each": bulk_rate(two, compiled, 2),
            }.items():
                rates.setdefault(what, []).append(rate)
    return {what: median(found) for what, found in rates.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bots.bulk.speed", description=main.__doc__)
    parser.add_argument("rounds", type=positive, nargs="?", default=2_000_000, help="of each measurement (%(default)s)")
    rates = measure(5, parser.parse_args().rounds)
    slow, fast = rates["plain C++ with rand()"], rates["plain C++ with a fast generator"]
    for what, rate in rates.items():
        print(f"{rate:6.1f} M deals a second: {what} ({rate / slow:.2f} of rand(), {rate / fast:.2f} of fast)")


if __name__ == "__main__":
    main()
