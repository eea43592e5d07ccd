"""How strong cards are, and how that is said. A strength is an int, and the stronger cards have the larger one."""

from collections import Counter
from collections.abc import Iterable, Sequence
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


#: {0} is the rank that counts first, {1} the same in the plural, {2} the second rank in the plural.
_WORDS = {
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


def of_a_kind(ranks: Iterable[int]) -> str:
    """What up to four cards are worth where only equal ranks count, for people: "a pair of fives", "queen high"."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    (count, first), second = groups[0], 0
    kind = ("high card", "pair", "three of a kind", "four of a kind")[count - 1]
    if len(groups) > 1 and groups[1][0] == count == 2:
        kind, second = "two pair", groups[1][1]
    return _in_words(kind, first, second)


def _in_words(kind: str, first: int, second: int) -> str:
    names = rank_name(first), rank_names(first), rank_names(second) if second else ""
    return _WORDS[kind].format(*names)


#: The category of a three-card strength, and the strength for people.
THREE_CARD_WORDS = {
    strength: (THREE_CARD_KINDS[strength >> 12], of_a_kind(ranks))
    for strength, ranks in {strength: ranks for ranks, strength in THREE_CARD_STRENGTHS.items()}.items()
}


def five_cards_in_words(strength: int) -> str:
    """A five-card strength for people: "a flush, king high", "two pair, kings and fives"."""
    return _five_cards_in_words(strength >> 24)


@cache  # of 799 beginnings
def _five_cards_in_words(begun: int) -> str:
    """``begun`` has the first three bytes of a strength, all that is said."""
    category, first, second = begun.to_bytes(3, "big")
    return _in_words(FIVE_CARD_KINDS[category], first, second)
