"""What two parts of the project each say in code of their own: they say the same."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from bots.human.game_seat import load_seat
from protocol.cards import DECK, Card
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame

FIVE = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)


def test_three_cards_have_one_name() -> None:
    game, seat = StudGame(), load_seat("stud")
    for cards in combinations(DECK[::2], 3):
        assert seat.in_words(game, cards) == game.describe(cards)


@given(cards=FIVE)
def test_five_cards_of_blockhead_have_one_name(cards: list[Card]) -> None:
    for game in (BlockheadGame(), BlockheadGame(ranks="poker")):
        assert load_seat("blockhead").in_words(game, cards) == game.describe(cards)
