"""How strong cards are. A strength is an int, and the stronger cards have the larger one."""

from collections.abc import Sequence
from itertools import product

from protocol.cards import Card, Rank


def _three_card_strength(ranks: Sequence[int]) -> int:
    """Three of a kind beats a pair beats high cards; then rank by rank, as the assignment compares them.

    "The pair with the highest card value wins (ignoring the third card). If two players have pairs
    with matching values, then the values of only those players' remaining cards are compared."
    """
    high, middle, low = sorted(ranks, reverse=True)
    if high == low:
        kind = 2
    elif middle in (high, low):
        kind, high, low = 1, middle, high + low - middle
    else:
        kind = 0
    return ((kind * 16 + high) * 16 + middle) * 16 + low


THREE_CARD_STRENGTHS: dict[tuple[int, int, int], int] = {
    (first, second, third): _three_card_strength((first, second, third))
    for first, second, third in product(range(Rank.TWO, Rank.ACE + 1), repeat=3)
}
"""The strength of three cards by their ranks in any order. Suits never count; 455 strengths differ."""


def three_card_strength(cards: Sequence[Card]) -> int:
    """The strength of a three-card stud hand; equal strengths share."""
    first, second, third = cards
    return THREE_CARD_STRENGTHS[first.rank, second.rank, third.rank]
