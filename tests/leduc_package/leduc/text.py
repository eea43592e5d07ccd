"""The text of Leduc hold'em: ``bet1`` and ``bet2``, and a ``status`` that shows hole cards at a showdown."""

from functools import partial

from leduc.rules import LeducTurn
from protocol.cards import parse_card
from protocol.wire.fields import decode_status, read_cards, read_chips, split_sections
from protocol.wire.messages import ProtocolError
from protocol.wire.text import GameText


def encode_turn(turn: LeducTurn) -> str:
    """``bet<street>:<stack>:<pot>:<owed>:<hole>:board:<no card or one>:raise:<bets still allowed on this street>``."""
    board = "".join(f":{card.text}" for card in turn.board)
    return (
        f"bet{turn.street}:{turn.stack}:{turn.pot}:{turn.owed}:{turn.hole.text}:board{board}:raise:{turn.raises_left}"
    )


def decode_turn(street: int, text: str) -> LeducTurn:
    """What follows ``bet1:`` or ``bet2:``.

    Raises:
        ProtocolError: a section is missing or unreadable.
    """
    sections = dict(split_sections(text.split(":"), ("board", "raise")))
    own, board, left = (sections.get(name, []) for name in ("", "board", "raise"))
    if len(own) != 4 or len(board) != street - 1 or len(left) != 1:
        raise ProtocolError(f"bet{street} needs stack, pot, owed, hole, 'board' with {street - 1} cards, and 'raise'")
    try:
        stack, pot, owed = (read_chips(field) for field in own[:3])
        return LeducTurn(street, stack, pot, owed, parse_card(own[3]), read_cards(board), read_chips(left[0]))
    except ValueError as error:
        raise ProtocolError(f"bet{street}: {error}") from None


#: The entry point ``leduc`` of the group ``casino.wire``.
TEXT = GameText(
    turns={LeducTurn: encode_turn},
    commands={"bet1": partial(decode_turn, 1), "bet2": partial(decode_turn, 2), "status": decode_status},
)
