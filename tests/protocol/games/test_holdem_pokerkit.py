"""Our hold'em beside PokerKit's: the same actors, raises, pots and payoffs in the same random hands."""

from random import Random

import pytest

from tests.protocol.games.pokerkit_hands import Twins, random_setup

#: Of a thousand hands, those in which the two rules may differ over an all-in for less, and over odd chips.
RARE = 30


def play_both(seeds: range) -> tuple[int, int]:
    """How many decisions and results differed in the ways that are known."""
    allowed = odd = 0
    for seed in seeds:
        chance = Random(seed)
        twins = Twins(random_setup(chance))
        twins.play(chance)
        twins.compare_results()
        allowed += twins.allowed_otherwise
        odd += twins.odd_chips
    return allowed, odd


def test_same_hands_as_pokerkit() -> None:
    allowed, odd = play_both(range(150))
    assert allowed + odd < RARE


@pytest.mark.heavy
@pytest.mark.parametrize("part", range(8))
def test_twenty_thousand_hands_as_pokerkit(part: int) -> None:
    allowed, odd = play_both(range(2500 * part, 2500 * (part + 1)))
    print(f"of 2,500 hands, {allowed} decisions about a raise and {odd} results with odd chips differed as documented")
    assert allowed + odd < 2.5 * RARE
