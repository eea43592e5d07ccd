"""The stud bot among its own kind: raises say something about cards, and nobody lives on its quarrels.

Every deal is played once from each seat, so that much of the luck with cards evens out.
"""

from bots.strategies.random_bettor import RandomBettor
from tests.bots.strategies.test_stud_among_its_own import NOTHING_MADE, guest_chips


def test_a_careless_guest_loses_to_five() -> None:
    mean, margin = guest_chips(RandomBettor, 15, b"guest")
    assert mean + margin < NOTHING_MADE
