"""Into which bucket two hole cards and a board fall for the tables of fixed-limit hold'em."""

from bisect import bisect_right
from collections.abc import Sequence

#: Groups by the mean square of the percentile, and inside each by its mean.
GROUPS, PARTS = 25, 8
RIVER_BUCKETS = 200

Thresholds = Sequence[tuple[Sequence[float], Sequence[Sequence[float]]]]


def opening_bucket(first: int, second: int) -> int:
    """The bucket before the flop, from 0 to 168, of two cards by their index in ``DECK``."""
    high, low = max(first, second) >> 2, min(first, second) >> 2
    return 13 * low + high if first & 3 == second & 3 else 13 * high + low


def board_bucket(street: int, mean: float, square: float, thresholds: Thresholds) -> int:
    """The bucket on the flop (street 1), turn (2) or river (3), from 0 to 199.

    Args:
        street: from 1.
        mean: the expected percentile on the river.
        square: the expected square of it, which is larger for draws.
        thresholds: for flop and turn, the bounds of groups by square, and those of each group's parts by mean.
    """
    if street == 3:
        return min(int(mean * RIVER_BUCKETS), RIVER_BUCKETS - 1)
    groups, parts = thresholds[street - 1]
    group = bisect_right(groups, square)
    return group * PARTS + bisect_right(parts[group], mean)
