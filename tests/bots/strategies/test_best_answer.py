"""The best answer knows what every call is worth, from hopeless hands to certain ones."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product

import pytest

from bots.strategies.blockhead.best_answer import Exploit
from bots.strategies.blockhead.habits import Habits
from bots.strategies.blockhead.turn_numbers import CALL, FOLD, VALUES, Sight
from protocol.cards import DECK
from protocol.games.blockhead import STREETS, card_value

POT, OWED = 90, 10
#: The value of each card.
CARDS = [card_value(card) for card in DECK]


@lru_cache
def drawn(cards: int) -> Counter[int]:
    """How often each difference comes, when both draw so many cards from decks without end."""
    if not cards:
        return Counter({0: 1})
    one = Counter(mine - other for mine, other in product(CARDS, CARDS))
    ways: Counter[int] = Counter()
    for (before, times), (more, of_one) in product(drawn(cards - 1).items(), one.items()):
        ways[before + more] += times * of_one
    return ways


@lru_cache
def share(cards: int, margin: int) -> Fraction:
    """The share of the pot to expect with so many cards to come for each; a tie counts half."""
    won = sum((2 * (margin + more > 0) + (margin + more == 0)) * times for more, times in drawn(cards).items())
    return Fraction(won, 2 * 52 ** (2 * cards))


@pytest.mark.parametrize("street", [1, 2, 3])
def test_worth_of_a_call_with_every_difference_and_hole_card(street: int) -> None:
    habits = Habits()
    for diff, hole, other in product(range(-9 * (street + 1), 9 * (street + 1) + 1), VALUES, VALUES):
        turn = Sight(street, 1000, POT, OWED, hole, diff, (), (OWED,), 10)
        values = Exploit(turn, [float(value == other) for value in range(11)], habits).values()
        expected = share(STREETS - street, diff + hole - other) * (POT + OWED) - OWED
        assert values[CALL] == pytest.approx(float(expected), abs=1e-6)
        assert values[FOLD] == 0
