"""The text of Texas Hold'em: ``bet1`` to ``bet4``, and a ``status`` that says who collected how much."""

from functools import partial

from protocol.cards import parse_card
from protocol.games.holdem_hand import BOARD, STREETS
from protocol.games.holdem_turn import HoldemTurn, SeatView
from protocol.wire.acpc import AcpcText
from protocol.wire.fields import decode_status, read_cards, read_chips, split_sections
from protocol.wire.messages import ProtocolError
from protocol.wire.text import GameText

STATES = ("live", "folded", "allin", "out")


def encode_turn(turn: HoldemTurn) -> str:
    """``bet<street>:<stack>:<pot>:<owed>:<hole>:<hole>``, then the sections ``board`` with its cards,

    ``raise`` with the least and the most, ``seats`` with ``<seat>/<stack>/<put>/<state>`` of each, and ``button``.
    """
    street, stack, pot, owed, (first, second), board, least, most, seats, button = turn
    text = f"bet{street}:{stack}:{pot}:{owed}:{first.text}:{second.text}:board"
    # Loops that add to the text, because a comprehension is a call of its own, and this is done for each decision.
    for _, _, card in board:
        text += f":{card}"
    text += f":raise:{least}:{most}:seats"
    for seat, (chips, put, state) in enumerate(seats):
        text += f":{seat}/{chips}/{put}/{state}"
    return f"{text}:button:{button}"


def decode_turn(street: int, text: str) -> HoldemTurn:
    """What follows ``bet1:`` to ``bet4:``.

    Raises:
        ProtocolError: a section is missing or unreadable.
    """
    sections = split_sections(text.split(":"), ("board", "raise", "seats", "button"))
    names = [name for name, _ in sections]
    fields = dict(sections)
    sizes = {name: len(found) for name, found in sections}
    expected = {"": 5, "board": BOARD[street], "raise": 2, "seats": sizes.get("seats"), "button": 1}
    if names != list(expected) or sizes != expected:
        raise ProtocolError(
            f"bet{street} needs stack, pot, owed and two hole cards, 'board' and {BOARD[street]} cards, 'raise' and "
            "two numbers, 'seats' and a field for each, and 'button' with a seat"
        )
    stack, pot, owed, *hole = fields[""]
    try:
        least, most = map(read_chips, fields["raise"])
        return HoldemTurn(
            street,
            read_chips(stack),
            read_chips(pot),
            read_chips(owed),
            (parse_card(hole[0]), parse_card(hole[1])),
            read_cards(fields["board"]),
            least,
            most,
            tuple([_read_seat(number, field) for number, field in enumerate(fields["seats"])]),
            read_chips(fields["button"][0]),
        )
    except ValueError as error:
        raise ProtocolError(f"bet{street}: {error}") from None


def _read_seat(number: int, text: str) -> SeatView:
    parts = text.split("/")
    if len(parts) != 4 or parts[0] != str(number) or parts[3] not in STATES:
        raise ValueError(f"expected {number}/<stack>/<put>/<{'|'.join(STATES)}>, got {text!r}")
    return SeatView(read_chips(parts[1]), read_chips(parts[2]), parts[3])


#: The entry point ``holdem`` of the group ``casino.wire``.
TEXT = GameText(
    turns={HoldemTurn: encode_turn},
    commands={
        **{f"bet{street}": partial(decode_turn, street) for street in range(1, STREETS + 1)},
        "status": decode_status,
    },
    acpc=AcpcText(
        sized=lambda game: game.betting != "fixed-limit", board=BOARD, options={"acpc": 1, "reset_stacks": 1}
    ),
)
