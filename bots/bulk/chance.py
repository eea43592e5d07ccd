"""What chance decides in a bulk tournament of dice, from its seed: B and two dice of every deal, and each AI's rand().

Deals are numbered through the whole tournament, with the same numbers whether or not a player has failed. Number ``n``
is made from output ``n`` of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014),
so that every deal can be found again without those before it. The compiled form is in ``cpp/driver.cpp``; tests
hold both equal.
"""

import hashlib
from typing import NamedTuple

GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1

#: RAND_MAX of the C library, up to which an AI's ``rand()`` goes.
RAND_MAX = 2**31 - 1


class Deal(NamedTuple):
    """What chance decides in one deal.

    Attributes:
        b: from 3 to 18.
        first: the first player's die.
        second: the second player's die.
    """

    b: int
    first: int
    second: int


def mix(z: int) -> int:
    """The output of SplitMix64 in state ``z``."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def deal(key: int, number: int) -> Deal:
    """Deal ``number`` (from 0) of the tournament with this key."""
    bits = mix((key + number * GOLDEN) & MASK)
    # A multiplication of 30 bits, shifted, is off an even chance by less than 1 in 10^8.
    first, second = ((part & 0x3FFFFFFF) * 6 >> 30 for part in (bits, bits >> 30))
    return Deal(3 + (bits >> 60), 1 + first, 1 + second)


class Rand:
    """The ``rand()`` of one AI."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def __call__(self) -> int:
        """The next number, from 0 to ``RAND_MAX``."""
        self.state = (self.state + GOLDEN) & MASK
        return mix(self.state) >> 33


def tournament_key(seed: str, series: int) -> int:
    """The key of the deals of tournament number ``series`` (from 0)."""
    return _number(f"{seed}/{series}")


def rand_seed(seed: str, series: int, player: int) -> int:
    """The seed of a player's ``rand()`` in tournament number ``series``."""
    return _number(f"{seed}/{series}/rand/{player}")


def coin_seed(seed: str, player: int) -> int:
    """The seed of the coin that replaces a player's opening."""
    return _number(f"{seed}/coin/{player}")


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
