"""How strong five to seven cards are as a poker hand, and which five of them are the hand.

A strength is an int: the category, then up to five ranks, a byte each, so that the stronger cards have the larger one
and equal ones share. Cards are looked at as one int with a bit for each rank of each suit; what a set of ranks is worth
stands in tables, since there are only 8,192 sets.
"""

from array import array
from collections.abc import Iterable, Sequence

from protocol.cards import DECK, Card, Rank

#: Bits between one suit and the next, and the bits of one suit: rank ``r`` is bit ``r``, the ace also bit 1.
_SUIT = 16
_RANKS = (1 << 15) - 4
#: The bit of the lowest rank. Written as a number, because members of an enum take longer.
_LOWEST = 2
#: Ranks in a strength.
_BYTES = 5

#: Looked up by the text of a card, because sums of enum members take several times as long.
_BITS = {card.text: 1 << (_SUIT * card.suit + card.rank) for card in DECK}

PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(1, 9)
_CATEGORY = 8 * _BYTES


def _highest_five() -> Sequence[int]:
    """The five highest ranks of each set of ranks, or as many as it has, as the bytes of a strength.

    A set without the lowest two bits, which are no ranks, is its place.
    """
    found = array("Q", [0])
    for places in range(1, 1 << len(Rank)):
        highest = places.bit_length() - 1
        found.append(highest + _LOWEST << _CATEGORY - 8 | found[places & ~(1 << highest)] >> 8)
    return found


def _straight_up_to() -> bytes:
    """The highest rank of the highest straight in each set of ranks, by the same places; 0 for none."""
    found = bytearray(1 << len(Rank))
    for places in range(len(found)):
        with_low_ace = places << 1 | places >> len(Rank) - 1
        rows = with_low_ace & with_low_ace << 1 & with_low_ace << 2 & with_low_ace << 3 & with_low_ace << 4
        found[places] = rows.bit_length() if rows else 0
    return bytes(found)


# Each table lies in memory in one piece. Between two hands of a dealer the caches of the processor have forgotten most,
# and a dictionary would have several places to fetch for each set.
_HIGHEST_FIVE = _highest_five()
_STRAIGHT_UP_TO = _straight_up_to()
#: By a number of ranks, what keeps only so many of the bytes of a strength.
_FIRST_BYTES = [(1 << _CATEGORY) - (1 << _CATEGORY - 8 * count) for count in range(_BYTES + 1)]


def card_bits(cards: Iterable[Card]) -> int:
    """The cards as one int, which ``strength_of_bits`` takes; those of two sets of cards are joined with ``|``."""
    bits = 0
    for _, _, text in cards:
        bits |= _BITS[text]
    return bits


def poker_strength(cards: Iterable[Card]) -> int:
    """The strength of the best five of five to seven cards; the ace is high, and low in A 2 3 4 5."""
    return strength_of_bits(card_bits(cards))


def strength_of_bits(bits: int) -> int:
    """The strength of the best five of the cards in ``bits``, of which there are five to seven."""
    clubs, diamonds, hearts, spades = (
        bits & _RANKS,
        bits >> _SUIT & _RANKS,
        bits >> 2 * _SUIT & _RANKS,
        bits >> 3 * _SUIT & _RANKS,
    )
    any_suit = clubs | diamonds | hearts | spades
    for suit in (clubs, diamonds, hearts, spades):
        if suit.bit_count() >= 5:
            # With seven cards, five of one suit leave no room for four of a kind or a full house.
            straight = _straight(suit)
            return straight + ((STRAIGHT_FLUSH - STRAIGHT) << _CATEGORY) if straight else _flush(suit)
    twice = clubs & diamonds | hearts & spades | (clubs | diamonds) & (hearts | spades)
    if not twice:
        return _straight(any_suit) or _high_cards(any_suit)
    return _with_equal_ranks(any_suit, twice, clubs, diamonds, hearts, spades)


def strength_without_flush(ranks: Iterable[int]) -> int:
    """The strength of five to seven cards of these ranks, in growing order, of which no five have the same suit."""
    bits = 0
    for place, rank in enumerate(ranks):  # dealt to one suit after the other, so that no suit has a rank twice
        bits |= 1 << _SUIT * (place % 4) + rank
    return strength_of_bits(bits)


def _with_equal_ranks(any_suit: int, twice: int, clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    """The strength of cards without a flush, of which two or more have the same rank.

    Args:
        any_suit: the ranks of the cards.
        twice: the ranks that occur at least twice.
        clubs, diamonds, hearts, spades: the ranks of each suit.
    """
    thrice = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    if not thrice:
        straight = _straight(any_suit)
        if straight:
            return straight
        pairs = twice.bit_count()
        return _pair(any_suit, twice) if pairs == 1 else _two_pair(any_suit, twice)
    four = clubs & diamonds & hearts & spades
    if four:
        return FOUR << _CATEGORY | _ranks(four, 1) | _ranks(any_suit & ~four, 1) >> 8
    if twice.bit_count() > 1:
        three = 1 << (thrice.bit_length() - 1)
        return FULL_HOUSE << _CATEGORY | _ranks(three, 1) | _ranks(twice & ~three, 1) >> 8
    return _straight(any_suit) or THREE << _CATEGORY | _ranks(thrice, 1) | _ranks(any_suit & ~thrice, 2) >> 8


#: A card as a number, so that the sum of several says how often each rank occurs: 3 bits a rank.
_COUNTS = {card.text: 1 << 3 * card.rank for card in DECK}


def rank_counts(cards: Iterable[Card]) -> int:
    """How often each rank occurs, as a number; those of two sets of cards are added."""
    return sum([_COUNTS[text] for _, _, text in cards])


class StrengthsByRanks(dict[int, int]):
    """Strengths without a flush by ``rank_counts``, as they are met; there are 49,205 for seven cards."""

    def __missing__(self, counts: int) -> int:
        ranks = [rank for rank in Rank for _ in range(counts >> 3 * rank & 7)]
        strength = self[counts] = strength_without_flush(ranks)
        return strength


BY_RANKS = StrengthsByRanks()


def _ranks(ranks: int, count: int) -> int:
    """The highest ``count`` of a set of ranks, as the first bytes of a strength's ranks."""
    return _HIGHEST_FIVE[ranks >> _LOWEST] & _FIRST_BYTES[count]


def _straight(ranks: int) -> int:
    """The strength of the highest straight in a set of ranks; 0 if there is none."""
    highest = _STRAIGHT_UP_TO[ranks >> _LOWEST]
    return STRAIGHT << _CATEGORY | highest << _CATEGORY - 8 if highest else 0


def _flush(ranks: int) -> int:
    return FLUSH << _CATEGORY | _ranks(ranks, 5)


def _high_cards(ranks: int) -> int:
    return _ranks(ranks, 5)


def _pair(ranks: int, pair: int) -> int:
    return PAIR << _CATEGORY | _ranks(pair, 1) | _ranks(ranks & ~pair, 3) >> 8


def _two_pair(ranks: int, pairs: int) -> int:
    first = 1 << (pairs.bit_length() - 1)
    second = 1 << ((pairs & ~first).bit_length() - 1)
    return TWO_PAIR << _CATEGORY | _ranks(first | second, 2) | _ranks(ranks & ~first & ~second, 1) >> 16


def best_five(cards: Sequence[Card], strength: int) -> tuple[Card, ...]:
    """The five of five to seven cards that make the strongest hand: what counts first stands first.

    Of cards that would do as well, those named first in ``cards`` are taken.

    Args:
        strength: theirs, as ``poker_strength`` gives it.
    """
    category, *ranks = strength.to_bytes(_BYTES + 1, "big")
    if category in (FLUSH, STRAIGHT_FLUSH):
        suits = [card.suit for card in cards]
        suit = max(set(suits), key=suits.count)
        cards = [card for card in cards if card.suit == suit]
    if category in (STRAIGHT, STRAIGHT_FLUSH):
        wanted = [rank if rank >= Rank.TWO else Rank.ACE for rank in range(ranks[0], ranks[0] - 5, -1)]
        return tuple(next(card for card in cards if card.rank == rank) for rank in wanted)
    in_hand = [card for rank in ranks if rank for card in cards if card.rank == rank]
    return tuple(in_hand[:5])
