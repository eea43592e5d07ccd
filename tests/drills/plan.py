"""What a chaos drill does and when. The processes of a drill share nothing but this and the machine's clock."""

import os
import secrets
import time
from dataclasses import dataclass
from random import Random

#: The environment variable that a drill is run again by.
VARIABLE = "DRILL_SEED"

#: In CI always the same, else a new one each time.
SEED = os.environ.get(VARIABLE) or ("CI" if os.environ.get("CI") else secrets.token_hex(4))


def chance(*names: object) -> Random:
    """Return the chance of one part of a drill, which no other part has."""
    return Random("/".join(map(str, (SEED, *names))))


@dataclass(frozen=True, slots=True)
class Plan:
    """How long a drill is, and how hard.

    Attributes:
        seconds: of play, in which calm and attack take turns.
        phase: seconds of each calm and of each attack.
        settling: seconds at the start of a phase that no measure counts, while the last attackers are still there.
        lobby: seconds of attack on the open lobby, before the first hand.
        limit: the dealer's, in seconds.
        rate: connections a second that attackers open.
        kinds: what attackers do, in turns; empty for everything they can.
    """

    seconds: float
    phase: float
    settling: float
    lobby: float
    limit: float
    rate: float
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedule:
    """Calm first, then attack, and so on. ``start`` is a time of ``time.monotonic``, one clock for all processes."""

    plan: Plan
    start: float

    def attacking(self, now: float) -> bool:
        return self._phase(now) % 2 == 1 and not self.over(now)

    def over(self, now: float) -> bool:
        return now >= self.start + self.plan.seconds

    def measured(self, now: float) -> str | None:
        """``calm`` or ``attack``; None while a phase settles, and after the last."""
        into = now - self.start - self._phase(now) * self.plan.phase
        if self.over(now) or into < self.plan.settling:
            return None
        return "attack" if self.attacking(now) else "calm"

    def attack_time(self, share: float) -> float:
        """The moment at which ``share`` (0 to 1) of all attacking is over."""
        attacks = int(self.plan.seconds / self.plan.phase) // 2
        phase, within = divmod(share * attacks, 1)
        return self.start + (2 * phase + 1 + within) * self.plan.phase

    def _phase(self, now: float) -> int:
        return int((now - self.start) / self.plan.phase)


def clock() -> float:
    """Seconds, the same in every process of this machine."""
    return time.monotonic()
