"""The 169 classes of hole cards: pairs, suited and unsuited cards; and the exact equity of one against another.

Class ``13 * high + low`` of ranks from 0 (two) to 12 (ace) is suited; ``13 * low + high`` is unsuited or a pair.
"""

import lzma
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path

from protocol.cards import DECK, Card, Rank, Suit

CLASSES = 169
#: Written by ``python -m bots.train.preflop_equities``.
PATH = Path(__file__).with_name("preflop_equities.bin.xz")
#: Boards that may be dealt to two hands.
BOARDS = 1_712_304


def class_of(first: Card, second: Card) -> int:
    """The class of two hole cards."""
    low, high = sorted((first.rank - Rank.TWO, second.rank - Rank.TWO))
    return 13 * high + low if first.suit == second.suit else 13 * low + high


@cache
def class_cards(index: int) -> tuple[tuple[Card, Card], ...]:
    """All hole cards of a class: 6 of a pair, 4 suited and 12 unsuited ones."""
    first, second = ([DECK[len(Suit) * rank + suit] for suit in Suit] for rank in divmod(index, 13))
    if first == second:
        return tuple(combinations(first, 2))
    suited = index // 13 > index % 13
    return tuple((one, other) for one, other in product(first, second) if (one.suit == other.suit) == suited)


@cache
def pairings() -> Sequence[Sequence[int]]:
    """By class and class: in how many ways two players can hold them at once."""
    holes = [[frozenset(hole) for hole in class_cards(index)] for index in range(CLASSES)]
    return [[sum(one.isdisjoint(other) for one in mine for other in theirs) for theirs in holes] for mine in holes]


@cache
def equities() -> Sequence[Sequence[float]]:
    """By class and class: the share of the pot that the first wins of the second, when both are all in; exact."""
    data = lzma.decompress(PATH.read_bytes())
    numbers = iter(memoryview(data).cast("q"))
    counts = pairings()
    table = [[0.0] * CLASSES for _ in range(CLASSES)]
    for one in range(CLASSES):
        for other in range(one, CLASSES):
            share = next(numbers) / (2 * BOARDS * counts[one][other])
            table[one][other], table[other][one] = share, 1 - share
    return table
