"""The state of a heads-up turn as numbers: card values, and chips bet on this street."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from protocol.games.blockhead import MAX_RAISES, BlockheadTurn, card_value

#: A *move* is FOLD, CALL (or check) or the chips of a raise, without what was owed.
FOLD, CALL = -1, 0

#: The raises that the tables know; others are read as one of them.
SIZES = (1, 10)
#: The moves that the tables know.
MOVES = (FOLD, CALL, *SIZES)

#: From here on a raise of an earlier street counts as 10 for the tables, and below as 1.
KNOWN_BIG = 4

#: For the tables, a lead in sight on an earlier street counts from here on.
CLEAR_LEAD = 4
#: How the opener's cards in sight compared on a street: clearly less than the other's, about as much, clearly more.
BEHIND, LEVEL, AHEAD = range(3)

#: The values of cards.
VALUES = range(1, 11)
#: How many cards of each value a deck has.
COPIES = (0, *[4] * 9, 16)


class Sight(NamedTuple):
    """What one player sees.

    Attributes:
        street: 1 to 3.
        owed: the last raise, if it is to be answered.
        hole: the value of the own hole card.
        diff: the value of the own up cards less that of the opponent's.
        seen: the values of all cards in sight.
        put_in: chips put in on this street, bet by bet.
        max_raise: 0 if no raise is left.
    """

    street: int
    stack: int
    pot: int
    owed: int
    hole: int
    diff: int
    seen: tuple[int, ...]
    put_in: tuple[int, ...]
    max_raise: int

    @classmethod
    def of(cls, turn: BlockheadTurn) -> Self:
        """The numbers of a turn with one opponent."""
        hole = card_value(turn.hole)
        mine, theirs = ([card_value(card) for card in cards] for cards in (turn.up, turn.others[0]))
        return cls(
            turn.street,
            turn.stack,
            turn.pot,
            turn.owed,
            hole,
            sum(mine) - sum(theirs),
            (hole, *mine, *theirs),
            tuple([chips for _, chips in turn.bets]),
            turn.max_raise,
        )

    @property
    def opens(self) -> bool:
        """Whether we open the streets of this hand: the two act in turn."""
        return len(self.put_in) % 2 == 0

    @property
    def prior(self) -> int | None:
        """None if nobody has acted on this street, 0 after a check, else the size of the raise alone."""
        return self.owed if self.put_in else None

    @property
    def sizes(self) -> list[int]:
        """The raises of this street."""
        return raise_sizes(self.put_in)

    @property
    def raises(self) -> int:
        """How many were made on this street, as far as that matters."""
        return len(self.sizes) if self.max_raise else MAX_RAISES

    def unseen(self, holes: Sequence[int] = VALUES) -> list[int]:
        """How many cards of each value the opponent may hold, if its value is one of ``holes``; by value, from 0."""
        counts = [0] * 11
        for hole in holes:
            counts[hole] = COPIES[hole]
        for card in self.seen:
            counts[card] -= counts[card] > 0
        return counts


class Before(NamedTuple):
    """What the tables know of a hand before the street.

    Attributes:
        raiser: who raised last on the street before: 0 nobody, 1 the opener, 2 the other.
        chips: put in by each on earlier streets, if every raise had been the one that it counts as (``known_size``).
        carry: chips in the pot from hands before.
        standing: how the opener's cards in sight compared on the street before (``standing_of``).
    """

    raiser: int = 0
    chips: int = 0
    carry: int = 0
    standing: int = LEVEL


NOTHING_BEFORE = Before()


class Spot(NamedTuple):
    """What the opponent faces, seen from us: all but its hole card.

    Attributes:
        street: 1 to 3.
        pot: chips in it before the opponent's move.
        put_in: chips put in on this street, bet by bet.
        diff: the value of our up cards less that of the opponent's.
        before: what happened before the street.
    """

    street: int
    pot: int
    put_in: tuple[int, ...]
    diff: int
    before: Before = NOTHING_BEFORE

    @property
    def sizes(self) -> list[int]:
        """The raises of this street."""
        return raise_sizes(self.put_in)

    @property
    def prior(self) -> int | None:
        """None if nobody has acted on this street, 0 after a check, else the size of the last raise alone."""
        sizes = self.sizes
        return sizes[-1] if sizes else 0 if self.put_in else None


def raise_sizes(put_in: Sequence[int]) -> list[int]:
    """The sizes of the raises among a street's bets, calls and checks left out."""
    sizes, owed = [], 0
    for chips in put_in:
        owed = chips - owed
        if owed:
            sizes.append(owed)
    return sizes


def known_size(size: int) -> int:
    """The raise of SIZES that a raise of an earlier street counts as."""
    return SIZES[size >= KNOWN_BIG]


def standing_of(lead: int) -> int:
    """What the opener's lead in sight on an earlier street counts as: BEHIND, LEVEL or AHEAD."""
    return BEHIND if lead <= -CLEAR_LEAD else AHEAD if lead >= CLEAR_LEAD else LEVEL
