"""Percentiles of reply times in constant memory."""

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
                return _SHORTEST * exp((bucket + 0.5) / _PER_FOLD)
        return None
