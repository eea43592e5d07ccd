"""What a game tells the screen: frozen values, handed from the thread that plays to the one that draws."""

from dataclasses import dataclass
from typing import Literal

from protocol.cards import Card
from protocol.games.base import Turn

Place = Literal["in", "folded", "out"]


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat, as everybody sees it; ``hole`` is there only if the person may see it.

    Attributes:
        stack: chips in front of it; None where nobody tells.
        place: whether it is in the hand, has folded, or is not dealt in any more.
        note: what it did last.
    """

    name: str
    stack: int | None = None
    hole: Card | None = None
    up: tuple[Card, ...] = ()
    place: Place = "in"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """The table at one moment.

    Attributes:
        seats: in seat order.
        me: the person's seat.
        hand: its number, from 1.
        street: from 1.
        to_act: whose turn it is; None between hands.
        cards: how many a seat has at the end of a hand.
        headline: the news of the moment, above all else.
    """

    seats: tuple[SeatView, ...]
    me: int
    hand: int
    street: int
    pot: int
    cards: int
    to_act: int | None = None
    headline: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """What chances are counted from: public cards, and the person's own.

    Attributes:
        game: the game's name.
        own: the person's cards, hole card first.
        others: the up cards of everybody else still in.
        gone: up cards of those who have folded: nobody else can hold them.
        pot: chips in it.
        owed: chips to put in to stay.
        poker: whether poker hands decide a game of blockhead.
    """

    game: str
    own: tuple[Card, ...]
    others: tuple[tuple[Card, ...], ...]
    gone: tuple[Card, ...] = ()
    pot: int = 0
    owed: int = 0
    poker: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """The table has changed."""

    scene: Scene
    spot: Spot | None


@dataclass(frozen=True, slots=True)
class Said:
    """A line for the history."""

    line: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The person's turn; the answer to it names its ``number``."""

    number: int
    turn: Turn


@dataclass(frozen=True, slots=True)
class TooLate:
    """The question that was open is so no more: the dealer went on without the person."""


@dataclass(frozen=True, slots=True)
class Chips:
    """The person's chips before the next hand."""

    stack: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A hand is over; the next is dealt when the person says so, naming ``number``."""

    number: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The person plays no more.

    Attributes:
        reason: why, in words.
        again: whether the same players could start anew.
    """

    reason: str
    again: bool = False


News = Shown | Said | Asked | TooLate | Chips | Waiting | Ended
