"""The own play later in a hand where betting goes in loops: from which place among all cards it calls and raises.

A line of the file is a situation, see ``ring_kernel.situation``: before and after the flop; in each of these, nothing,
little and much owed; in each of those, no rival that goes by its cards has raised, one has, several have. A line has
two places against one rival, two, three, and four or more: from which it calls, and from which it raises. Places are
counted in parts of ``ring_kernel.PLACES``.
"""

from functools import cache
from pathlib import Path

from bots.strategies.holdem.ring_kernel import MOST_IN_LOOPS, Ints, ints

#: Written by ``python -m bots.train.loop_places``.
PATH = Path(__file__).with_name("loop_places.txt")
SITUATIONS = 18
#: Places of a situation.
WIDTH = 2 * MOST_IN_LOOPS


@cache
def loop_places() -> Ints:
    """All places, line by line."""
    return ints(int(word) for word in PATH.read_text("ascii").split())
