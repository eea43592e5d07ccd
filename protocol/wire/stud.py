"""The text of three-card stud: ``bet1``, ``bet2`` and ``status``."""

from protocol.cards import Card, parse_card
from protocol.games.base import Status
from protocol.games.stud import StudTurn
from protocol.wire.fields import made_once, read_cards, read_chips
from protocol.wire.messages import ProtocolError
from protocol.wire.text import GameText

Shown = tuple[tuple[Card, ...], ...]


def encode_turn(turn: StudTurn) -> str:
    """``bet1:<stack>:<pot>:<owed>:<hole>:<up>:up:<up of each seat>``, or ``bet2`` with two up cards a seat."""
    street, stack, pot, owed, hole, up, shown = turn
    own = up[0].text if street == 1 else f"{up[0].text}:{up[1].text}"
    return f"bet{street}:{stack}:{pot}:{owed}:{hole.text}:{own}:up:{_shown_text(shown)}"


@made_once
def _shown_text(shown: Shown) -> str:
    return ":".join([card.text for cards in shown for card in cards])


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
        stack, pot, owed = (read_chips(field) for field in fields[:3])
        hole, *up = (parse_card(field) for field in fields[3 : 4 + street])
        cards = [parse_card(field) for field in fields[5 + street :]]
    except ValueError as error:
        raise ProtocolError(f"bet{street}: {error}") from None
    shown = tuple(tuple(cards[first : first + street]) for first in range(0, len(cards), street))
    return StudTurn(street, stack, pot, owed, hole, tuple(up), shown)


def decode_status(text: str) -> Status:
    """What follows ``status:``.

    Raises:
        ProtocolError: neither win nor lose, or not three cards.
    """
    outcome, *cards = text.split(":")
    if len(cards) != 3 or outcome not in ("win", "lose"):
        raise ProtocolError("status needs 'win' or 'lose' and three cards")
    try:
        return Status(outcome == "win", read_cards(cards))
    except ValueError as error:
        raise ProtocolError(f"status: {error}") from None


#: The entry point ``stud`` of the group ``casino.wire``.
TEXT = GameText(
    turns={StudTurn: encode_turn},
    commands={
        "bet1": lambda text: decode_turn(1, text),
        "bet2": lambda text: decode_turn(2, text),
        "status": decode_status,
    },
)
