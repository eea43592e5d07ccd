"""What the dealer and the bots each say in code of their own, since neither imports the other: they say the same."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from bots.human.worth import worth as told_to_people
from dealer.replay.words import worth as told_in_replays
from protocol.cards import DECK, Card
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame

FIVE = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)


def test_three_cards_have_one_name() -> None:
    for cards in combinations(DECK[::2], 3):
        assert told_to_people("stud", cards) == told_in_replays(StudGame(), cards)


@given(cards=FIVE)
def test_a_poker_hand_has_one_name(cards: list[Card]) -> None:
    assert told_to_people("blockhead", cards, poker=True) == told_in_replays(BlockheadGame(ranks="poker"), cards)
