"""Beta beats Alpha, sees no more than its turns, notices who is not Alpha, and breaks no rule of any variant."""

from random import Random

import pytest

from bots.strategies.alpha import Alpha
from bots.strategies.beta import Beta, BetaChips
from bots.strategies.gamma import Gamma
from bots.strategy import Maker
from tests.bots.blockhead_games import chips_a_hand, gains_of, play_games, share_won


@pytest.mark.parametrize("maker", [Beta, BetaChips, Gamma])
def test_it_beats_alpha(maker: Maker) -> None:
    gains = gains_of(maker, Alpha, 150)
    assert chips_a_hand(gains)[0] > 0
    assert share_won(gains)[0] > 0.5


def test_it_never_takes_alpha_for_a_stranger() -> None:
    for maker in (Beta, BetaChips, Gamma):
        beta = maker(Random(3))
        play_games([beta, Alpha(Random(4))], 50, "trust")
        assert beta.trusts
