"""What cards are worth, in words."""

from collections import Counter
from collections.abc import Sequence

from protocol.cards import Card, Rank
from protocol.games.blockhead import NAME as BLOCKHEAD
from protocol.games.blockhead import cards_value
from protocol.games.ranks import five_card_strength

_ONE = {rank: rank.name.lower() for rank in Rank}
_MANY = {rank: f"{name}es" if name == "six" else f"{name}s" for rank, name in _ONE.items()}
_CATEGORIES = (
    "high card",
    "a pair",
    "two pair",
    "three of a kind",
    "a straight",
    "a flush",
    "a full house",
    "four of a kind",
    "a straight flush",
)


def worth(game: str, cards: Sequence[Card], poker: bool = False) -> str:
    """The name of a hand, whole or not: ``a pair of kings``, ``37 points``."""
    if game != BLOCKHEAD:
        return of_a_kind(cards)
    if poker and len(cards) == 5:
        return _CATEGORIES[five_card_strength(cards) >> 40]
    return of_a_kind(cards) if poker else f"{cards_value(cards)} points"


def of_a_kind(cards: Sequence[Card]) -> str:
    """The name of cards of which only equal values count."""
    groups = sorted(((count, rank) for rank, count in Counter(card.rank for card in cards).items()), reverse=True)
    (count, rank), *rest = groups
    if count == 1:
        return f"{_ONE[rank]} high"
    if count == 2 and rest and rest[0][0] == 2:
        return f"{_MANY[rank]} and {_MANY[rest[0][1]]}"
    return {2: f"a pair of {_MANY[rank]}", 3: f"three {_MANY[rank]}", 4: f"four {_MANY[rank]}"}[count]
