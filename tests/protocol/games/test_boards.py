"""Boards that may still come: the same as dealing every one of them."""

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards import DECK, Suit, parse_cards
from protocol.games.boards import FIVE, strengths_to_come
from protocol.games.poker_strength import poker_strength


@given(st.randoms(use_true_random=False), st.integers(1, 4), st.integers(0, 4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_strengths_equal_those_of_every_board(chance: Random, seats: int, known: int, suited: bool) -> None:
    deck = [card for card in DECK if not suited or card.suit in (Suit.SPADES, Suit.HEARTS)]  # so that flushes come
    cards = chance.sample(deck, min(len(deck), 2 * seats + known + 10))
    holes = [cards[2 * seat : 2 * seat + 2] for seat in range(seats)]
    board, unseen = cards[2 * seats : 2 * seats + known], cards[2 * seats + known :]
    expected = Counter(
        tuple(poker_strength((*hole, *board, *more)) for hole in holes) for more in combinations(unseen, FIVE - known)
    )
    strengths, numbers = strengths_to_come(board, unseen, holes)
    found: Counter[tuple[int, ...]] = Counter()
    for mine, number in zip(zip(*strengths, strict=True), numbers, strict=True):
        found[mine] += number
    assert {mine: number for mine, number in found.items() if number} == expected


def test_every_board_is_counted_once() -> None:
    aces, kings = parse_cards("AS AD"), parse_cards("KH KC")
    unseen = [card for card in DECK if card not in (*aces, *kings)]
    _, numbers = strengths_to_come((), unseen, (aces, kings))
    assert sum(numbers) == comb(48, 5)
