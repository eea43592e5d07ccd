"""Strength of hands: known counts, the same order as others, and the assignment's text as a comparison."""

import warnings
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import StandardHighHand

from protocol.cards import DECK, Card, parse_cards
from protocol.games.poker_strength import (
    best_five,
    card_bits,
    poker_strength,
    strength_of_bits,
)
from protocol.games.ranks import THREE_CARD_STRENGTHS, five_card_kind, five_cards_in_words, three_card_strength
from tests.protocol.games.test_holdem_pokerkit import text

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it uses old names of pyparsing
    import eval7

#: Of all 2,598,960 hands of five cards (Wikipedia, "Poker probability").
COUNTS = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3744,
    "flush": 5108,
    "straight": 10200,
    "three of a kind": 54912,
    "two pair": 123552,
    "pair": 1098240,
    "high card": 1302540,
}
#: How many of all five-card hands differ in strength.
STRENGTHS = 7462


@pytest.mark.parametrize(
    ("cards", "words", "five"),
    [
        ("AS KS QS JS 10S 2H 2D", "a straight flush, ace high", "AS KS QS JS 10S"),
        ("5S 4S 3S 2S AS KH KD", "a straight flush, five high", "5S 4S 3S 2S AS"),
        ("9C 9D 9H 9S 2H KD QD", "four nines", "9C 9D 9H 9S KD"),
        ("9C 9D 9H 4S 4H 4D QD", "a full house, nines over fours", "9C 9D 9H 4S 4H"),
        ("9C 9D 9H 4S 4H KD KC", "a full house, nines over kings", "9C 9D 9H KD KC"),
        ("2S 9S 4S KS 6S KD 3S", "a flush, king high", "KS 9S 6S 4S 3S"),
        ("AH 2C 3D 4S 5H KD KC", "a straight, five high", "5H 4S 3D 2C AH"),
        ("6H 2C 3D 4S 5H AD KC", "a straight, six high", "6H 5H 4S 3D 2C"),
        ("9C 9D 9H 2S 4H KD QD", "three nines", "9C 9D 9H KD QD"),
        ("9C 9D 4H 4S 2H 2D QD", "two pair, nines and fours", "9C 9D 4H 4S QD"),
        ("9C 9D 7H 4S 2H 3D QD", "a pair of nines", "9C 9D QD 7H 4S"),
        ("9C AD 7H 4S 2H 3D QD", "ace high", "AD QD 9C 7H 4S"),
    ],
)
def test_hands_of_seven_cards(cards: str, words: str, five: str) -> None:
    seven = parse_cards(cards)
    assert five_cards_in_words(poker_strength(seven)) == words
    assert best_five(seven, poker_strength(seven)) == parse_cards(five)


@given(cards=st.permutations(DECK).map(lambda deck: deck[:7]), size=st.integers(5, 7))
def test_the_best_five_are_as_strong_as_all(cards: list[Card], size: int) -> None:
    some = cards[:size]
    five = best_five(some, poker_strength(some))
    assert len(set(five)) == 5
    assert set(five) <= set(some)
    assert poker_strength(five) == poker_strength(some) == max(map(poker_strength, combinations(some, 5)))


def _eval7(cards: Sequence[Card]) -> int:
    return int(eval7.evaluate([eval7.Card(text([card])) for card in cards]))


def _pokerkit(cards: Sequence[Card]) -> Any:
    return StandardHighHand.from_game(text(cards))


@pytest.mark.parametrize("samples", [1500, pytest.param(100_000, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("other", [_eval7, _pokerkit])
def test_the_same_order_as_others(other: Any, samples: int) -> None:
    chance = Random(7)
    hands = [chance.sample(DECK, 7) for _ in range(samples)]
    ours, theirs = [poker_strength(hand) for hand in hands], [other(hand) for hand in hands]
    for place in range(1, samples):
        mine, before = ours[place], ours[place - 1]
        assert (mine < before, mine == before) == (
            theirs[place] < theirs[place - 1],
            theirs[place] == theirs[place - 1],
        )


@pytest.mark.heavy
def test_all_hands_of_five_cards_are_counted() -> None:
    bits = [card_bits((card,)) for card in DECK]
    strengths = Counter(strength_of_bits(a | b | c | d | e) for a, b, c, d, e in combinations(bits, 5))
    kinds: Counter[str] = Counter()
    for strength, count in strengths.items():
        kinds[five_card_kind(strength)] += count
    assert kinds == COUNTS
    assert len(strengths) == STRENGTHS


Ranks = tuple[int, ...]


def first_difference(mine: Sequence[int], other: Sequence[int]) -> int:
    return next((a - b for a, b in zip(mine, other, strict=True) if a != b), 0)


def paired(ranks: Ranks) -> int | None:
    return next((rank for rank in ranks if ranks.count(rank) == 2), None)


def compare(mine: Ranks, other: Ranks) -> int:
    """Above 0 if ``mine`` wins, below 0 if ``other`` does, 0 if "the two players are both winners"."""
    triples = [len(set(ranks)) == 1 for ranks in (mine, other)]
    if any(triples):  # "Three-of-a-kind beat any other hand [...] the higher card value wins."
        return mine[0] - other[0] if all(triples) else triples[0] - triples[1]
    my_pair, other_pair = paired(mine), paired(other)
    if my_pair is None and other_pair is None:  # the highest card, then the second, then the third
        return first_difference(sorted(mine, reverse=True), sorted(other, reverse=True))
    if my_pair is None or other_pair is None:
        return 1 if other_pair is None else -1
    if my_pair != other_pair:  # "the pair with the highest card value wins (ignoring the third card)"
        return my_pair - other_pair
    return sum(mine) - sum(other)  # equal pairs: "only those players' remaining cards are compared"


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def test_every_two_hands_compare_as_the_assignment_says() -> None:
    patterns = list(combinations_with_replacement(range(2, 15), 3))
    assert len(patterns) == 455
    for mine, other in combinations_with_replacement(patterns, 2):
        difference = THREE_CARD_STRENGTHS[mine] - THREE_CARD_STRENGTHS[other]
        assert sign(difference) == sign(compare(mine, other)), (mine, other)


def test_all_22100_hands_have_the_strength_of_their_ranks_alone() -> None:
    counts: Counter[int] = Counter()
    for first, second, third in combinations(DECK, 3):
        strength = THREE_CARD_STRENGTHS[first.rank, second.rank, third.rank]
        assert three_card_strength((first, second, third)) == three_card_strength((third, first, second)) == strength
        counts[strength] += 1
    assert counts.total() == 22100
    # Hands of one strength: 4 triples, 4 * 3 / 2 * 4 pairs with a kicker, 4 * 4 * 4 high cards.
    assert Counter(counts.values()) == {4: 13, 24: 13 * 12, 64: 286}
