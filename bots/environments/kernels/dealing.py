"""Cards for many tables, compiled. A card is its index in ``DECK``.

Numba's cache on disk notices no edit in another file: after a change here, touch the files that import this one.
"""

import numpy as np
from numpy.typing import NDArray

from protocol.games.kernels.blockhead import draw_number
from protocol.games.kernels.compiling import compiled

#: The cards of each table: int8 (tables, cards of a hand).
Cards = NDArray[np.int8]


@compiled
def draw_hand(deck: Cards, cards: Cards, chance: NDArray[np.uint64]) -> None:
    """Write the first cards of a shuffled deck into ``cards``.

    Args:
        deck: int8 (52,), which stays a permutation.
        cards: int8, as many as a hand needs.
        chance: the state of the random generator.
    """
    for number in range(len(cards)):
        random = draw_number(chance) >> np.uint64(32)
        other = number + np.int64((random * np.uint64(len(deck) - number)) >> np.uint64(32))
        deck[number], deck[other] = deck[other], deck[number]
        cards[number] = deck[number]


@compiled
def first_illegal(masks: NDArray[np.int8], actions: NDArray[np.int64]) -> int:
    """The first table whose action is not legal, or no action at all; -1 if there is none."""
    for table in range(len(actions)):
        action = actions[table]
        if not 0 <= action < masks.shape[1] or not masks[table, action]:
            return table
    return -1
