"""The 169 classes of hole cards: pairs, suited and unsuited cards; and the exact equity of one against another.

Class ``13 * high + low`` of ranks from 0 (two) to 12 (ace) is suited; ``13 * low + high`` is unsuited or a pair.
"""

import lzma
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path

from protocol.cards import DECK, Card, Rank, Suit

CLASSES = 169
#: Pairs of hole cards.
HOLES = 1326
#: Written by ``python -m bots.train.preflop_equities``.
PATH = Path(__file__).with_name("preflop_equities.bin.xz")
#: Written by ``python -m bots.train.preflop_win_rates``: 255ths, by class and number of others.
RATES_PATH = Path(__file__).with_name("preflop_win_rates.bin")
#: Others, at most, for whom there are win rates.
RIVALS = 9
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
    sizes = [len(class_cards(index)) for index in range(CLASSES)]
    counts = [Counter(card for hole in class_cards(index) for card in hole) for index in range(CLASSES)]
    table = [[one * other for other in sizes] for one in sizes]
    for one, mine in enumerate(counts):
        for other, theirs in enumerate(counts):
            table[one][other] -= sum(number * theirs[card] for card, number in mine.items())
        table[one][one] += sizes[one]  # the same two cards were taken away once for each of them
    return table


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


@cache
def worths() -> Sequence[float]:
    """By class: the exact equity against any other cards."""
    return [
        sum(share * count for share, count in zip(row, counts, strict=True)) / sum(counts)
        for row, counts in zip(equities(), pairings(), strict=True)
    ]


@cache
def win_rates() -> Sequence[Sequence[float]]:
    """By class and number of others (index 0 is not used): the share of the pot won against any cards."""
    data = RATES_PATH.read_bytes()
    return [[1.0, *[part / 255 for part in data[RIVALS * row : RIVALS * (row + 1)]]] for row in range(CLASSES)]


@cache
def places() -> Sequence[float]:
    """By class: the share of all hole cards that are worse before the flop, by equity against any cards."""
    found, below = [0.0] * CLASSES, 0
    for index in sorted(range(CLASSES), key=worths().__getitem__):
        found[index] = below / HOLES
        below += len(class_cards(index))
    return found


def place_of(first: Card, second: Card) -> float:
    """The place of two hole cards, as ``places`` counts it."""
    return places()[class_of(first, second)]
