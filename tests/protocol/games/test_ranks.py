"""Hand strength against the assignment's text, written down a second time as a comparison of two hands."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import pytest

from protocol.cards import DECK, parse_cards
from protocol.games.ranks import THREE_CARD_STRENGTHS, three_card_strength

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


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2C 2D 2H", "AS AH KS"),
        ("3C 3D 3H", "2C 2D 2H"),
        ("2C 2D 3H", "AS KH QS"),
        ("3C 3D 2H", "2C 2D AH"),
        ("KC 2D 2H", "QC 2S 2C"),
        ("AS 3H 2C", "KS QH JC"),
        ("AS KH 3C", "AC KD 2C"),
        ("AS KH 2C", "AC QD JC"),
    ],
)
def test_the_better_hand_is_stronger(better: str, worse: str) -> None:
    assert three_card_strength(parse_cards(better)) > three_card_strength(parse_cards(worse))


def test_straights_and_flushes_count_as_high_cards() -> None:
    assert three_card_strength(parse_cards("4S 3S 2S")) < three_card_strength(parse_cards("5C 3D 2H"))
    assert three_card_strength(parse_cards("AS 3S 2S")) == three_card_strength(parse_cards("AC 3D 2H"))
