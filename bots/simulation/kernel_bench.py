"""Measure ``casino bench simulate``: hands of blockhead a second, in the arena and in the compiled kernel."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bots.fitting_table import new_table
from bots.simulation.kernel_choice import kernel_obstacle
from bots.simulation.plan import Plan, with_progress
from bots.simulation.whole_games import play_block
from bots.strategy import bot_names
from protocol.games.blockhead import BlockheadGame

#: Strategies that cost next to nothing, and the ones a proof is about.
PAIRS = (("caller", "caller"), ("alpha", "alpha"))


def run_bench(seconds: float, as_json: bool) -> None:
    """Measure every pair for ``seconds`` in each engine, and print the rates."""
    pairs = [pair for pair in PAIRS if set(pair) <= set(bot_names())]
    rows = [_row(pair, seconds) for pair in with_progress(pairs, "measuring", len(pairs))]
    if as_json:
        print(json.dumps({"game": "blockhead", "seconds": seconds, "pairs": rows}, indent=2))
    else:
        Console().print(_table(rows))


def _row(bots: tuple[str, str], seconds: float) -> dict[str, Any]:
    """Hands a second of one process; None, with the reason, where there is no kernel."""
    plan = Plan(bots, BlockheadGame(), 10**9, False, "bench")
    obstacle = kernel_obstacle(plan)
    arena = measure(plan, seconds)
    kernel = None if obstacle else measure(replace(plan, engine="kernel"), seconds)
    return {
        "bots": bots,
        "arena_hands_per_second": arena,
        "kernel_hands_per_second": kernel,
        "ratio": kernel / arena if kernel else None,
        "obstacle": obstacle,
    }


def measure(plan: Plan, seconds: float) -> float:
    """Hands a second in this process, after one block to warm up (the kernel is compiled in it)."""
    play_block((plan, 0))
    start, games = perf_counter(), 0
    for block in count(1):
        games += play_block((plan, block)).games
        if (passed := perf_counter() - start) >= seconds:
            break
    return games * plan.game.hands / passed


def _table(rows: Sequence[dict[str, Any]]) -> Table:
    table = new_table("Hands of blockhead a second, in one process")
    table.add_column("Bots")
    for heading in ("Arena", "Kernel", "Ratio"):
        table.add_column(heading, justify="right")
    for row in rows:
        kernel, ratio = row["kernel_hands_per_second"], row["ratio"]
        fast = (f"{kernel:,.0f}", f"{ratio:.0f}") if kernel else (escape(row["obstacle"]), "-")
        table.add_row(" v ".join(row["bots"]), f"{row['arena_hands_per_second']:,.0f}", *fast)
    return table
