"""What the dealer and the bots each say in code of their own, since neither imports the other: they say the same."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.human.worth import worth as told_to_people
from bots.statistics import wilson
from dealer.ledger.intervals import share
from protocol.cards import DECK, Card
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame

FIVE = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)


def test_three_cards_have_one_name() -> None:
    for cards in combinations(DECK[::2], 3):
        assert told_to_people("stud", cards) == StudGame().describe(cards)


@given(cards=FIVE)
def test_a_poker_hand_has_one_name(cards: list[Card]) -> None:
    assert told_to_people("blockhead", cards, poker=True) == BlockheadGame(ranks="poker").describe(cards)


@given(trials=st.integers(1, 5000), part=st.floats(0, 1))
def test_a_share_has_one_interval(trials: int, part: float) -> None:
    won = round(trials * part)
    found = share(won, trials)
    assert found is not None
    assert tuple(found) == pytest.approx(tuple(wilson(won, trials)))
