"""Compile the kernels once, before the workers of pytest-xdist start: each would compile again what it needs.

numba keeps what it has compiled beside the sources, so the next run only loads it.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: Plays all compiled tables of the environments.
_TABLES = """
from bots.environments.vector import GAMES, VectorTables
for game in GAMES:
    tables = VectorTables(game, 2)
    tables.step(tables.masks.argmax(axis=1))
"""

#: Command lines that need all other kernels: those of Blockhead, of hold'em at tables of several, and of fixed limit.
_SIMULATIONS = (
    "blockhead alpha balance --games 2",  # both have a kernel; without one the arena plays, and compiles nothing
    "holdem holdem tight caller --hands 4",
    "holdem equilibrium caller --betting fixed-limit --hands 4",
)


def compile_kernels() -> None:
    """Do it in processes of their own, at once, if numba is installed."""
    if find_spec("numba") is None:
        return
    words = [["-c", _TABLES], *(["-m", "dealer.main", "simulate", *line.split()] for line in _SIMULATIONS)]
    running = [subprocess.Popen([sys.executable, *one], cwd=ROOT, stdout=subprocess.DEVNULL) for one in words]
    for process in running:
        if process.wait():
            raise RuntimeError(f"kernels could not be compiled: {process.args!r}")
