"""How strong cards are, and how that is said. A strength is an int, and the stronger cards have the larger one."""

from collections.abc import Sequence
from functools import cache
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


#: The strength of three cards by their ranks in any order. Suits never count; 455 strengths differ.
THREE_CARD_STRENGTHS: dict[tuple[int, int, int], int] = {
    (first, second, third): _three_card_strength((first, second, third))
    for first, second, third in product(range(Rank.TWO, Rank.ACE + 1), repeat=3)
}


def three_card_strength(cards: Sequence[Card]) -> int:
    """The strength of a three-card stud hand; equal strengths share."""
    first, second, third = cards
    return THREE_CARD_STRENGTHS[first.rank, second.rank, third.rank]


#: Categories of three cards, weakest first.
THREE_CARD_KINDS = ("high card", "pair", "three of a kind")
#: Categories of five cards, weakest first.
FIVE_CARD_KINDS = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)


def five_card_kind(strength: int) -> str:
    """The category of a five-card strength."""
    return FIVE_CARD_KINDS[strength >> 40]


#: Looked up here, because an enum takes several times as long to find a member and its name.
_RANK_NAMES = {rank.value: rank.name.lower() for rank in Rank}


def rank_name(rank: int) -> str:
    """ "five", "king"."""
    return _RANK_NAMES[rank]


def rank_names(rank: int) -> str:
    """ "fives", "sixes"."""
    return "sixes" if rank == Rank.SIX else f"{rank_name(rank)}s"


def _three_cards_in_words(strength: int) -> str:
    kind, rank = strength >> 12, strength >> 8 & 15
    return (f"{rank_name(rank)} high", f"a pair of {rank_names(rank)}", f"three {rank_names(rank)}")[kind]


#: The category of a three-card strength, and the strength for people: "a pair of fives", "queen high".
THREE_CARD_WORDS = {
    strength: (THREE_CARD_KINDS[strength >> 12], _three_cards_in_words(strength))
    for strength in THREE_CARD_STRENGTHS.values()
}


def five_cards_in_words(strength: int) -> str:
    """A five-card strength for people: "a flush, king high", "two pair, kings and fives"."""
    return _five_cards_in_words(strength >> 24)


@cache  # of 799 beginnings
def _five_cards_in_words(begun: int) -> str:
    """``begun`` has the first three bytes of a strength, all that is said."""
    category, first, second = begun.to_bytes(3, "big")
    form = _FIVE_CARD_WORDS[FIVE_CARD_KINDS[category]]
    names = rank_name(first), rank_names(first), rank_names(second) if second else ""
    return form.format(*names)


#: {0} is the rank that counts first, {1} the same in the plural, {2} the second rank in the plural.
_FIVE_CARD_WORDS = {
    "high card": "{0} high",
    "pair": "a pair of {1}",
    "two pair": "two pair, {1} and {2}",
    "three of a kind": "three {1}",
    "straight": "a straight, {0} high",
    "flush": "a flush, {0} high",
    "full house": "a full house, {1} over {2}",
    "four of a kind": "four {1}",
    "straight flush": "a straight flush, {0} high",
}
