"""The speed of bulk tournaments, compared with a plain C++ driver in the same run.

All rates are million deals per second of processor time, by the median of several turns in which everybody plays once.
Between turns, so that what else the machine does meets all alike. ``pytest -m heavy -s`` prints them.
"""

import subprocess
from pathlib import Path
from statistics import median

import pytest

from bots.bulk.compile import CPP, Compiled, compile_all
from bots.bulk.plan import Plan
from bots.bulk.round_robin import make_plan
from bots.bulk.supervisor import play_series
from tests.compiled import needs

PLAYERS = ["dice-four", "dice-price", "dice-luck", "caller", "dice-memory"]
PAIRS = 10
PLAIN = Path(__file__).parents[1] / "plain_driver.cpp"


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


def measure(turns: int, rounds: int, folder: Path) -> dict[str, float]:
    one, two = (make_plan(PLAYERS, [], [], rounds, series, "speed") for series in (1, 2))
    rates: dict[str, list[float]] = {}
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


@pytest.mark.heavy
def test_bulk_tournaments_are_as_fast_as_plain_cpp(tmp_path: Path) -> None:
    needs("g++")
    rates = measure(5, 2_000_000, tmp_path)
    for what, rate in rates.items():
        print(f"{rate:6.1f} M deals a second: {what}")
    assert rates["compiled AIs"] >= rates["plain C++ with rand()"]
