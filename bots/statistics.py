"""What a sample says about a mean, and how sure that is."""

from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist

CONFIDENCE = 0.95


@dataclass(slots=True)
class RunningMean:
    """Mean and variance of numbers as they come (Welford, Technometrics 4, 1962)."""

    count: int = 0
    mean: float = 0.0
    _squares: float = 0.0

    def add(self, value: float) -> None:
        """Take one more number into account."""
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self._squares += step * (value - self.mean)

    @property
    def deviation(self) -> float:
        """The sample's standard deviation; infinite for fewer than two numbers."""
        return sqrt(self._squares / (self.count - 1)) if self.count > 1 else inf

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean, by the normal approximation (for samples of 30 and more)."""
        half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * self.deviation / sqrt(max(self.count, 1))
        return self.mean - half, self.mean + half
