"""What a game tells the screen, as frozen values."""

from dataclasses import dataclass

from bots.human.game_seat import GameSeat
from bots.human.odds import Spot
from dealer.audit.decision_value.situation import Situation
from dealer.telling.scene import TableScene
from protocol.games.base import Turn
from protocol.games.game import Game
from protocol.person_events import AnswerDue, InLobby


@dataclass(frozen=True, slots=True)
class PersonScene:
    """The table at one moment, as the person may see it.

    Attributes:
        table: a copy, which changes no more. Its players have the numbers of their seats.
        names: by seat.
        me: the person's seat.
        hand: its number, from 1, as the person counts hands.
        game: that is played.
        seat: what the seat for people knows of it.
        headline: the result of a hand that is over, in a line.
        level: under way with its stakes, in short; empty where stakes do not rise.
    """

    table: TableScene
    names: tuple[str, ...]
    me: int
    hand: int
    game: Game
    seat: GameSeat
    headline: str = ""
    level: str = ""

    @property
    def street(self) -> str:
        """The street, as people call it."""
        return self.game.street_name(self.table.street)


@dataclass(frozen=True, slots=True)
class Begun:
    """A game begins, with equal stacks; the screen then knows its rules."""

    game: Game


@dataclass(frozen=True, slots=True)
class Shown:
    """The table has changed."""

    scene: PersonScene
    spot: Spot | None


@dataclass(frozen=True, slots=True)
class Said:
    """A line for the history."""

    line: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The person's turn; the answer to it names its ``number``.

    Attributes:
        put: chips that the person has put in on this street; None if no seat has put in any, or that is not told.
        situation: what the coach advises on; None where there is no coach, as at a dealer's tables.
    """

    number: int
    turn: Turn
    put: int | None = None
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
