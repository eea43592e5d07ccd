"""``balance``: beta's fall-back from the first hand on, a near-equilibrium that gives little away to anybody."""

from random import Random
from typing import ClassVar

from bots.strategies.beta import Beta


class Balance(Beta):
    """Takes nobody for Alpha; lead and hands left do not matter to it."""

    default_in: ClassVar = {}
    level = "hard"
    source = "the house: a near-equilibrium solved by bots/train"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.trusts = False
