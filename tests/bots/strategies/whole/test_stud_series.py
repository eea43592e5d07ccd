"""The stud bot at the table: always legal, always the same, and stronger than the yardsticks."""

import pytest

from bots.strategy import Maker
from tests.bots.strategies.test_stud import YARDSTICKS, chips_a_hand

#: Chips a hand that ``tight`` makes in the place of ``stud`` among the yardsticks.
TIGHT_ALONE = 17.6


def test_makes_more_of_the_yardsticks_than_tight_does() -> None:
    mean, margin = chips_a_hand(YARDSTICKS, 500, b"yardsticks")
    assert mean - margin > TIGHT_ALONE


@pytest.mark.parametrize("other", YARDSTICKS)
def test_never_loses_to_a_yardstick_alone(other: Maker) -> None:
    mean, margin = chips_a_hand([other], 1_000, b"alone")
    assert mean + margin > 0
