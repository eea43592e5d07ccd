"""Into which bucket two hole cards and a board fall for the tables of fixed-limit hold'em.

A bucket on the flop or later tells the *texture* of the board, and of the hole cards how strong they are for it. Those
of the river serve the training alone, since the bot solves the river.
"""

from collections import Counter
from collections.abc import Sequence

#: Cards on the board, by street from 0.
SEEN = (0, 3, 4, 5)
#: Buckets of hole cards on one texture: before the flop all, then groups by mean square times parts by mean.
HOLE_BUCKETS = (169, 200, 200, 100)
GROUPS, PARTS = 25, 8
RIVER_BUCKETS = HOLE_BUCKETS[3]
#: Kinds of boards that are told apart: by suits, pairs, and high cards (see ``texture``).
TEXTURES = (1, 15, 12, 6)
#: Indices in ``DECK`` from which a card is an ace, at least a king, and at least a queen.
ACE, KING, QUEEN = 48, 44, 40

Thresholds = Sequence[tuple[Sequence[float], Sequence[Sequence[float]]]]


def texture(board: Sequence[int]) -> int:
    """The number of a board's texture among those of its street; cards by their index in ``DECK``.

    It tells how many cards have the same suit (at most 1, 2 or 3 on flop and turn; 2, 3 or 4 on the river) and whether
    there is a pair. On the flop also whether the highest card is an ace, a king or queen, or lower; on the turn whether
    there is an ace or king.
    """
    suited = max(Counter(card & 3 for card in board).values())
    paired = len({card >> 2 for card in board}) < len(board)
    if len(board) == SEEN[3]:
        return 2 * (min(max(suited, 2), 4) - 2) + paired
    kind = 2 * (min(suited, 3) - 1) + paired
    highest = max(board)
    if len(board) == SEEN[2]:
        return 2 * kind + (highest >= KING)
    return 3 * kind + (highest >= QUEEN) + (highest >= ACE)
