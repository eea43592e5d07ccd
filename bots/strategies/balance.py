"""``balance``: plays a near-equilibrium from the first hand on, so that no opponent can win much from it."""

from random import Random
from typing import ClassVar

from bots.strategies.beta import Beta


class Balance(Beta):
    """Beta that never takes its opponent for Alpha; its lead and the hands left make no difference to it."""

    default_in: ClassVar = {}
    level = "hard"
    source = "the house: a near-equilibrium solved by bots/train"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.trusts = False
