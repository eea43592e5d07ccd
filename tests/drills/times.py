"""How long something took, in the calm and under attack."""

from dataclasses import dataclass, field
from typing import Any

from dealer.lobby.player import ReplyTimes


@dataclass(slots=True)
class Times:
    """Seconds that something took, in the calm and under attack."""

    by_phase: dict[str, ReplyTimes] = field(default_factory=lambda: {"calm": ReplyTimes(), "attack": ReplyTimes()})
    longest: dict[str, float] = field(default_factory=lambda: {"calm": 0.0, "attack": 0.0})

    def add(self, phase: str, seconds: float) -> None:
        self.by_phase[phase].add(seconds)
        self.longest[phase] = max(self.longest[phase], seconds)

    def facts(self) -> dict[str, Any]:
        return {
            phase: {
                "count": times.count,
                "p50": times.quantile(0.5),
                "p99": times.quantile(0.99),
                "p999": times.quantile(0.999),
                "max": self.longest[phase],
            }
            for phase, times in self.by_phase.items()
        }
