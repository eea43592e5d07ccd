"""The text of three-card stud: ``bet1``, ``bet2`` and ``status``."""

from collections.abc import Callable
from typing import Any

from protocol.cards import Card, parse_card
from protocol.games.base import Status, Turn
from protocol.games.stud import StudTurn
from protocol.wire.messages import ProtocolError

Shown = tuple[tuple[Card, ...], ...]


def encode_turn(turn: StudTurn) -> str:
    """``bet1:<stack>:<pot>:<owed>:<hole>:<up>:up:<up of each seat>``, or ``bet2`` with two up cards a seat."""
    street, stack, pot, owed, hole, up, shown = turn
    own = up[0].text if street == 1 else f"{up[0].text}:{up[1].text}"
    return f"bet{street}:{stack}:{pot}:{owed}:{hole.text}:{own}:up:{_shown_text(shown)}"


_SHOWN_TEXTS: dict[int, tuple[Shown, str]] = {}
_MOST_SHOWN_TEXTS = 256
"""Tables in one process, at most, that do not get into each other's way here."""


def _shown_text(shown: Shown) -> str:
    """The up cards as text. All questions of a street show the same tuple, so its text is kept, by identity:

    half of the time of encoding a turn at a table of eight.
    """
    known = _SHOWN_TEXTS.get(id(shown))
    if known is not None and known[0] is shown:
        return known[1]
    if len(_SHOWN_TEXTS) >= _MOST_SHOWN_TEXTS:
        _SHOWN_TEXTS.clear()
    text = ":".join([card.text for cards in shown for card in cards])
    _SHOWN_TEXTS[id(shown)] = shown, text
    return text


def decode_turn(street: int, text: str) -> StudTurn:
    """What follows ``bet1:`` or ``bet2:``.

    Raises:
        ProtocolError: numbers or cards are missing or unreadable.
    """
    fields = text.split(":")
    if len(fields) < 5 + 2 * street or fields[4 + street] != "up" or (len(fields) - 5 - street) % street:
        raise ProtocolError(
            f"bet{street} needs stack, pot, owed, hole and {street} up card(s), 'up', then {street} for each seat"
        )
    try:
        stack, pot, owed = (_chips(field) for field in fields[:3])
        hole, *up = (parse_card(field) for field in fields[3 : 4 + street])
        cards = [parse_card(field) for field in fields[5 + street :]]
    except ValueError as error:
        raise ProtocolError(f"bet{street}: {error}") from None
    shown = tuple(tuple(cards[first : first + street]) for first in range(0, len(cards), street))
    return StudTurn(street, stack, pot, owed, hole, tuple(up), shown)


def _chips(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(f"{text!r} is no number of chips")
    return int(text)


def encode_status(status: Status) -> str:
    """``status:<win or lose>:<three cards of the winning hand, hole card first>``."""
    return f"status:{'win' if status.won else 'lose'}:{':'.join([card.text for card in status.cards])}"


def decode_status(text: str) -> Status:
    """What follows ``status:``.

    Raises:
        ProtocolError: neither win nor lose, or not three cards.
    """
    outcome, *cards = text.split(":")
    if len(cards) != 3 or outcome not in ("win", "lose"):
        raise ProtocolError("status needs 'win' or 'lose' and three cards")
    try:
        return Status(outcome == "win", tuple(parse_card(card) for card in cards))
    except ValueError as error:
        raise ProtocolError(f"status: {error}") from None


TURNS: dict[type, Callable[[Any], str]] = {StudTurn: encode_turn}
STATUSES: dict[type, Callable[[Any], str]] = {Status: encode_status}
COMMANDS: dict[str, Callable[[str], Turn | Status]] = {
    "bet1": lambda text: decode_turn(1, text),
    "bet2": lambda text: decode_turn(2, text),
    "status": decode_status,
}
