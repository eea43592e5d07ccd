"""Percentiles of reply times in constant memory."""

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil, exp, log

#: Seconds; shorter times count as this.
_SHORTEST = 1e-6
_PER_SECOND = 1 / _SHORTEST

#: Buckets for each factor of e, so that neighbours differ by 2 %.
_PER_FOLD = 50


class ReplyTimes:
    """A histogram of seconds whose buckets grow by 2 %, from a microsecond to hours.

    Only buckets that hold a reply take memory: a few dozen for a program that plays for days.

    Attributes:
        total: seconds of all replies together.
    """

    def __init__(self) -> None:
        self.total = 0.0
        self._counts: dict[int, int] = {}

    @property
    def count(self) -> int:
        """Number of replies."""
        return sum(self._counts.values())

    def add(self, seconds: float) -> None:
        """Count a reply that took so many seconds. Called for each decision, so it only takes a logarithm."""
        self.total += seconds
        bucket = int(log(seconds * _PER_SECOND) * _PER_FOLD) if seconds > _SHORTEST else 0
        self._counts[bucket] = self._counts.get(bucket, 0) + 1

    def quantile(self, share: float) -> float | None:
        """Seconds within which ``share`` (0 to 1) of the replies came, accurate to 2 %; None without replies."""
        wanted = max(ceil(share * self.count), 1)
        seen = 0
        for bucket in sorted(self._counts):
            seen += self._counts[bucket]
            if seen >= wanted:
                return _middle(bucket)
        return None

    def spread(self, bounds: Sequence[float]) -> tuple[list[int], float]:
        """Counts per bucket (seconds), accurate to 2 %, and the sum of all reply times.

        Args:
            bounds: upper bounds of the buckets in seconds, in rising order.

        Returns:
            One count for each bound, one more for the replies beyond the last bound; and the sum in seconds.
        """
        counts = [0] * (len(bounds) + 1)
        for bucket, count in self._counts.items():
            counts[bisect_left(bounds, _middle(bucket))] += count
        return counts, self.total


def _middle(bucket: int) -> float:
    """The seconds that every reply in a bucket counts as: its geometric middle."""
    return _SHORTEST * exp((bucket + 0.5) / _PER_FOLD)
