"""Percentiles of reply times in constant memory."""

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil, exp, log

_SHORTEST = 1e-6
_PER_SECOND = 1 / _SHORTEST
_PER_FOLD = 50
"""Buckets for each factor of e, so that neighbours differ by 2 %."""


class ReplyTimes:
    """A histogram of seconds with buckets that grow by 2 %, from a microsecond to hours."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    @property
    def count(self) -> int:
        """How many replies were counted."""
        return sum(self._counts.values())

    def add(self, seconds: float) -> None:
        """Count one reply."""
        bucket = int(log(seconds * _PER_SECOND) * _PER_FOLD) if seconds > _SHORTEST else 0
        self._counts[bucket] = self._counts.get(bucket, 0) + 1

    def quantile(self, share: float) -> float | None:
        """Seconds within which ``share`` (0 to 1) of the replies came, to 2 %; None without replies."""
        wanted = max(ceil(share * self.count), 1)
        seen = 0
        for bucket in sorted(self._counts):
            seen += self._counts[bucket]
            if seen >= wanted:
                return _middle(bucket)
        return None

    def spread(self, bounds: Sequence[float]) -> tuple[list[int], float]:
        """How many replies took how long, and all of them together, to 2 %.

        Args:
            bounds: seconds, rising.

        Returns:
            The count up to the first bound, from there to the second and so on, at last beyond them all; and the sum.
        """
        counts, total = [0] * (len(bounds) + 1), 0.0
        for bucket, count in self._counts.items():
            seconds = _middle(bucket)
            counts[bisect_left(bounds, seconds)] += count
            total += count * seconds
        return counts, total


def _middle(bucket: int) -> float:
    """The seconds that stand for all in a bucket."""
    return _SHORTEST * exp((bucket + 0.5) / _PER_FOLD)
