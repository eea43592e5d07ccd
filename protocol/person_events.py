"""Events for the program of a person at a table: the public ones of its hands, and those that only a person needs.

Each event travels in an ``event:`` message, as JSON with its ``type``; see ``docs/wire.md``.
"""

from typing import get_args

import msgspec
from msgspec import Struct

from protocol.events import Acted, AtTable, Dealt, Event, StreetDealt, type_of


class InLobby(Event, frozen=True, tag="lobby"):
    """The player waits for the start, with others.

    Attributes:
        names: avatars in the order of their logins; of a crowd only the first ones.
        place: the player's own among all who wait, from 0.
        count: how many wait.
        seats: how many it takes to start; None if it does not start by their number.
    """

    names: tuple[str, ...]
    place: int
    count: int
    seats: int | None


class Seated(AtTable, frozen=True, tag="seated"):
    """A hand begins in which the player sits.

    Attributes:
        names: the avatars of all who are dealt in, by seat.
        seat: the player's own.
    """

    names: tuple[str, ...]
    seat: int


class AnswerDue(Event, frozen=True, tag="due"):
    """The time for the player's answer.

    Attributes:
        seconds: left.
        stops: whether they are fewer than usual because the dealer stops.
    """

    seconds: float
    stops: bool


class SeatSeen(Struct, frozen=True):
    """A seat at the end of a hand.

    Attributes:
        cards: all of its cards that the player knows, hole cards first.
        worth: of those cards, in words; empty without them.
        won: chips that it collected.
        why: with what.
        stack: its chips when the pot was divided.
    """

    cards: tuple[str, ...]
    worth: str
    won: int
    why: str
    stack: int


class HandSeen(AtTable, frozen=True, tag="seen"):
    """A hand is over, as the player saw it.

    Attributes:
        pot: chips of all pots together.
        carried: chips that stay in the pot for the next hand.
        seats: all that were dealt in.
    """

    pot: int
    carried: int
    seats: tuple[SeatSeen, ...]


#: All that a person is told of.
PersonEvent = InLobby | Seated | AnswerDue | Dealt | StreetDealt | Acted | HandSeen

_person_events = msgspec.json.Decoder(PersonEvent)


class _Kind(Struct):
    type: str


_kinds = msgspec.json.Decoder(_Kind)
_known = frozenset([type_of(kind) for kind in get_args(PersonEvent)])


def person_text(event: PersonEvent) -> str:
    """An event as a person's program is told it."""
    return msgspec.json.encode(event).decode()


def read_person_event(text: str) -> PersonEvent | None:
    """Read an event that a person's program was told; None if its type is not known, as later ones may be.

    Raises:
        ValueError: the text is no event.
    """
    return _person_events.decode(text) if _kinds.decode(text).type in _known else None
