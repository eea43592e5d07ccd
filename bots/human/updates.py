"""What a game tells the screen, as frozen values."""

from dataclasses import dataclass
from typing import Any, Literal

from dealer.audit.decision_value.situation import Situation
from protocol.cards import Piece
from protocol.games.base import Turn
from protocol.games.game import Game
from protocol.person_events import AnswerDue, InLobby

Place = Literal["in", "folded", "out"]


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat, as the person may see it.

    Attributes:
        name: of its player.
        stack: chips in front of it; None where that is not known.
        hole: its hole cards, if the person may see them.
        hidden: how many hole cards it has that the person may not see.
        up: its cards that lie face up.
        place: whether it is in the hand, has folded, or is not dealt in any more.
        note: what it did last.
        won: chips that it collected at the end.
        button: whether it has the button.
        all_in: whether it is in the hand without a chip left, and cannot act any more.
    """

    name: str
    stack: int | None = None
    hole: tuple[Piece, ...] = ()
    hidden: int = 0
    up: tuple[Piece, ...] = ()
    place: Place = "in"
    note: str = ""
    won: int = 0
    button: bool = False
    all_in: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """The table at one moment.

    Attributes:
        seats: in seat order.
        me: the person's seat.
        hand: its number, from 1.
        street: from 1.
        pot: chips in it.
        cards: how many a seat has at the end of a hand; the picture keeps room for them.
        to_act: whose turn it is; None between hands.
        board: the cards that belong to all seats.
        pots: chips of the main pot and of the side pots; empty where there are no side pots.
        headline: the result of a hand that is over, in a line.
        level: under way with its stakes, in short; empty where stakes do not rise.
    """

    seats: tuple[SeatView, ...]
    me: int
    hand: int
    street: int
    pot: int
    cards: int
    to_act: int | None = None
    board: tuple[Piece, ...] = ()
    pots: tuple[int, ...] = ()
    headline: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """What chances are counted from: public cards or dice, and the person's own. Each game knows which they are.

    Attributes:
        own: the person's cards, hole cards first.
        others: the up cards of everybody else still in.
        gone: up cards of those who have folded: nobody else can hold them.
        pot: chips in it that the person can win.
        owed: chips to put in to stay.
        board: the cards that belong to all seats.
    """

    game: Game
    own: tuple[Any, ...]
    others: tuple[tuple[Any, ...], ...]
    gone: tuple[Any, ...] = ()
    pot: int = 0
    owed: int = 0
    board: tuple[Any, ...] = ()

    @property
    def cards(self) -> tuple[tuple[Any, ...], ...]:
        """Everything that chances depend on."""
        return (self.own, self.board, *self.others)


@dataclass(frozen=True, slots=True)
class Begun:
    """A game begins, with equal stacks; the screen then knows its rules."""

    game: Game


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
    """The person's turn; the answer to it names its ``number``.

    Attributes:
        situation: what the coach advises on; None where there is no coach, as at a dealer's tables.
    """

    number: int
    turn: Turn
    situation: Situation | None = None


#: What a person reads at ``TooLate``.
TOO_LATE = "Too late: the dealer has gone on without you."


@dataclass(frozen=True, slots=True)
class TooLate:
    """The open question is closed: the dealer went on without the person's answer."""


@dataclass(frozen=True, slots=True)
class CutOff:
    """The connection to the dealer broke, and is made again; an open question is asked once more then."""


#: What a person reads at ``CutOff``, and when the dealer is reached again.
CUT_OFF = "The connection to the dealer broke. Your seat is kept for a while; the page tries to get back to it."
BACK_AGAIN = "The dealer is there again."


@dataclass(frozen=True, slots=True)
class Chips:
    """The person's chips before the next hand."""

    stack: int


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand against house bots is over.

    Attributes:
        chips: that the person has won, or lost if below zero.
        entered: whether the person put in chips by choice on the first street.
        won_with: what the person collected chips with, in words; empty if none were collected.
    """

    chips: int
    entered: bool
    won_with: str


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


#: ``InLobby`` tells who waits for the start, and ``AnswerDue`` how much time is left for the open question.
News = Begun | Shown | Said | Asked | AnswerDue | TooLate | CutOff | Chips | HandOver | Waiting | InLobby | Ended
