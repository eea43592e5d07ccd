"""Push or fold between two players with few chips: how often each class of hole cards goes all in, or calls that.

The frequencies are the exact equilibrium of the game in which the small blind pushes or folds.
"""

from functools import cache
from pathlib import Path

from bots.strategies.holdem.preflop import CLASSES

#: Written by ``python -m bots.train.push_fold``: for each depth, 255ths of the pushes and then of the calls.
PATH = Path(__file__).with_name("push_fold.bin")
PARTS = 255
#: Big blinds of the shorter stack, blind included, for which there is a table.
DEPTHS = tuple(half / 2 for half in range(2, 31))


@cache
def _table() -> bytes:
    return PATH.read_bytes()


def push_or_fold(index: int, depth: float) -> tuple[float, float]:
    """How often a class goes all in as small blind, and how often it calls that as big blind, from 0 to 1.

    Args:
        index: the class, as in ``preflop``.
        depth: big blinds of the shorter stack, blind included; the nearest table is taken.
    """
    row = min(range(len(DEPTHS)), key=lambda at: abs(DEPTHS[at] - depth))
    first = 2 * CLASSES * row + index
    return _table()[first] / PARTS, _table()[first + CLASSES] / PARTS
