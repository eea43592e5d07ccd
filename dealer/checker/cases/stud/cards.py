"""Cards of chosen strength, drawn by chance."""

from collections.abc import Sequence
from random import Random

from protocol.cards import DECK, Card, Rank, Suit

#: The cards of one seat: hole, first up, second up.
Cards = tuple[Card, Card, Card]


#: All cards but the spades.
PLAIN = [card for card in DECK if card.suit is not Suit.SPADES]


def ranked(low: Rank, high: Rank) -> list[Card]:
    """All cards from a value to another."""
    return [card for card in DECK if low <= card.rank <= high]


def spade(rank: Rank) -> Card:
    """The spade of a value."""
    return next(card for card in DECK if card.rank == rank and card.suit is Suit.SPADES)


def dealt(hands: Sequence[Cards]) -> list[Card]:
    """A deck that deals these cards to the seats."""
    known = [card for cards in hands for card in cards]
    return [*known, *[card for card in DECK if card not in known]]


def unpaired(rng: Random, free: Sequence[Card], ranks: range, number: int) -> list[Card]:
    """``number`` cards of different values."""
    values = rng.sample(ranks, number)
    return [rng.choice([card for card in free if card.rank == value]) for value in values]


def three_of_a_kind(rng: Random) -> Cards:
    """Three cards of one value."""
    rank = rng.choice(list(Rank))
    first, second, third = rng.sample([card for card in DECK if card.rank == rank], 3)
    return first, second, third


def one_pair(rng: Random) -> Cards:
    """A pair in the hole and the first up card, none of them a spade, and another card."""
    rank = rng.choice(list(Rank))
    hole, up = rng.sample([card for card in PLAIN if card.rank == rank], 2)
    return hole, up, rng.choice([card for card in DECK if card.rank != rank])


def spade_in_the_hole(rng: Random) -> Cards:
    """A spade from the jack up in the hole, and no pair."""
    hole = spade(rng.choice([Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE]))
    up, last = unpaired(rng, DECK, range(Rank.TWO, Rank.JACK), 2)
    return hole, up, last


def high_cards(rng: Random) -> Cards:
    """Three different cards from the nine up, without a spade in the hole."""
    hole, up, last = unpaired(rng, PLAIN, range(Rank.NINE, Rank.ACE + 1), 3)
    return hole, up, last


def junk(rng: Random) -> Cards:
    """Three low cards without a pair, none of them a spade."""
    first, second, third = unpaired(rng, PLAIN, range(Rank.TWO, Rank.NINE), 3)
    return first, second, third


def others(rng: Random, taken: Sequence[Card], number: int, up: Sequence[Card] = DECK) -> list[Cards]:
    """Cards of ``number`` other seats by chance: any card in the hole, and cards of ``up`` face up."""
    free = [card for card in up if card not in taken]
    shown = rng.sample(free, 2 * number)
    holes = rng.sample([card for card in DECK if card not in taken and card not in shown], number)
    return [(hole, *shown[2 * seat : 2 * seat + 2]) for seat, hole in enumerate(holes)]  # type: ignore[misc]


def seated(rng: Random, own: Cards, others: Sequence[Cards]) -> tuple[tuple[Cards, ...], int]:
    """The cards of all seats, with the program's at a seat drawn by chance, and that seat."""
    seat = rng.randrange(len(others) + 1)
    return (*others[:seat], own, *others[seat:]), seat
