"""Count all boards that may still come when the hole cards of the seats are known.

Of the 1,712,304 boards before the flop most are alike. Where no seat has a flush, the ranks alone count: 6,175 sets of
five ranks, each with the number of boards that have it. Where a seat may have one, the cards of its suit are dealt one
by one, and of all others again the ranks alone. So every board is counted in a tenth of a second.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, repeat
from math import comb
from operator import add

from protocol.cards import Card, Suit
from protocol.games.poker_strength import BY_RANKS, card_bits, rank_counts, strength_of_bits

#: Cards of a whole board, and of a flush.
FIVE = 5


def strengths_to_come(
    board: Sequence[Card], unseen: Sequence[Card], holes: Sequence[Sequence[Card]]
) -> tuple[list[list[int]], list[int]]:
    """The strengths that seats will have on all boards which begin with ``board``.

    Boards that give the same strengths stand together, but maybe in several places, and some places correct others:
    their number is below zero.

    Args:
        board: the cards on the board.
        unseen: the cards that may still come.
        holes: the two hole cards of each seat.

    Returns:
        For each seat its strength in each place, and the number of boards in each place.
    """
    own, begun, missing = [rank_counts(hole) for hole in holes], rank_counts(board), FIVE - len(board)
    ranks = Counter({begun + more: number for more, number in _ways(unseen, missing)[missing].items()})
    strengths: list[list[int]] = [[] for _ in holes]
    numbers: list[int] = []
    for suit in Suit:
        for counts, some, flushes in _with_flushes(suit, board, unseen, holes):
            for mine, flush, found in zip(own, flushes, strengths, strict=True):
                found.extend(repeat(flush, len(some)) if flush else _by_ranks(counts, mine))
            numbers.extend(some)
            for count, number in zip(counts, some, strict=True):
                ranks[count] -= number
    for mine, found in zip(own, strengths, strict=True):
        found.extend(_by_ranks(ranks, mine))
    return strengths, [*numbers, *ranks.values()]


def _with_flushes(
    suit: Suit, board: Sequence[Card], unseen: Sequence[Card], holes: Sequence[Sequence[Card]]
) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """The boards on which a seat has a flush of ``suit``, by the cards of this suit that come.

    Each with the ``rank_counts`` of the board, one for each set of ranks of the other cards; the number of boards of
    each; and the strength of the flush of each seat, 0 for none.
    """
    suited, on_board = [card_bits(_of(suit, hole)) for hole in holes], card_bits(_of(suit, board))
    missing, begun = FIVE - len(board), rank_counts(board)
    least = max(0, FIVE - max(map(int.bit_count, suited)) - on_board.bit_count())
    others = _ways([card for card in unseen if card.suit is not suit], missing)
    for count in range(least, missing + 1):
        rest = others[missing - count]
        for cards in combinations(_of(suit, unseen), count):
            whole = [mine | on_board | card_bits(cards) for mine in suited]
            flushes = [strength_of_bits(bits) if bits.bit_count() >= FIVE else 0 for bits in whole]
            yield [*map(add, rest, repeat(begun + rank_counts(cards)))], [*rest.values()], flushes


def _by_ranks(counts: Iterable[int], mine: int) -> Iterable[int]:
    return map(BY_RANKS.__getitem__, map(add, counts, repeat(mine)))


def _of(suit: Suit, cards: Iterable[Card]) -> list[Card]:
    return [card for card in cards if card.suit is suit]


def _ways(cards: Iterable[Card], most: int) -> list[dict[int, int]]:
    """By a number of cards up to ``most``, in how many ways each ``rank_counts`` can be drawn."""
    found: list[dict[int, int]] = [{0: 1}, *({} for _ in range(most))]
    for rank, held in Counter(rank_counts([card]) for card in cards).items():
        for total in range(most, 0, -1):
            for drawn in range(1, min(held, total) + 1):
                times = comb(held, drawn)
                for before, ways in found[total - drawn].items():
                    found[total][before + drawn * rank] = ways * times
    return found
