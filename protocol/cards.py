"""Playing cards and their text form.

"A card is represented with two or three characters. The last character is the suit [...] Only the
10 requires three characters" (three-card stud assignment).
"""

from enum import IntEnum
from typing import NamedTuple, Protocol, cast


class Piece(Protocol):
    """What chance gives to a seat or to the table: a card, or in games without cards a die or a number.

    Pieces are values: they can be compared for equality and put into sets.
    """

    @property
    def text(self) -> str:
        """How records, pages and messages write it: ``10D`` is a card, ``4`` a die, ``B=12`` a number with its name."""

    def __hash__(self) -> int:
        """Equal pieces have equal hashes."""


class Rank(IntEnum):
    """The value of a card; the ace is high."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14


class Suit(IntEnum):
    """The suit of a card, in the order that breaks ties for the opener: S > H > D > C."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3


class Card(NamedTuple):
    """One card of the deck. Cards order by rank, then suit, so ``max(cards)`` is the opener's card.

    ``text`` is the wire form ("10D"); it is stored because every message is made of it.
    """

    rank: Rank
    suit: Suit
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


RANK_TEXT = dict(zip(Rank, ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"], strict=True))
SUIT_TEXT = dict(zip(Suit, "CDHS", strict=True))
#: How terminals show a suit.
SUIT_SYMBOL = dict(zip(Suit, "♣♦♥♠", strict=True))

#: All 52 cards in a fixed order: index ``4 * (rank - 2) + suit``.
DECK: tuple[Card, ...] = tuple(Card(rank, suit, RANK_TEXT[rank] + SUIT_TEXT[suit]) for rank in Rank for suit in Suit)

#: A card that a hand history does not tell. Dealers never deal it, and it has no rank and no suit.
UNKNOWN = Card(cast(Rank, 0), cast(Suit, 0), "??")

_BY_TEXT = {card.text: card for card in DECK}


def parse_card(text: str) -> Card:
    """Read a card such as ``"10D"``.

    Raises:
        ValueError: the text is no card; the message says what one looks like.
    """
    try:
        return _BY_TEXT[text]
    except KeyError:
        raise ValueError(f"{text!r} is no card; a card is 2-10, J, Q, K or A followed by S, H, D or C") from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks, as tests and documents write them: ``"KS 10D 2C"``."""
    return tuple(parse_card(word) for word in text.split())
