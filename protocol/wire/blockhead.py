"""The text of Blockhead Poker: ``bet1`` to ``bet3``, and a ``status`` that may show hole cards."""

from functools import partial

from protocol.cards import parse_card
from protocol.games.blockhead import STREETS, BlockheadTurn
from protocol.wire.fields import decode_status, read_cards, read_chips, read_seat_chips, split_sections
from protocol.wire.messages import ProtocolError
from protocol.wire.text import GameText


def encode_turn(turn: BlockheadTurn) -> str:
    """``bet<street>:<stack>:<pot>:<owed>:<hole>:<own up cards>``, then a section ``up:<cards>`` for each opponent

    still in, from the left neighbour on, ``bets:<seat>=<chips>...`` of this street, and ``raise:<most>``.
    """
    fields = [f"bet{turn.street}", str(turn.stack), str(turn.pot), str(turn.owed), turn.hole.text]
    fields += [card.text for card in turn.up]
    for cards in turn.others:
        fields += ["up", *[card.text for card in cards]]
    fields += ["bets", *[f"{seat}={amount}" for seat, amount in turn.bets], "raise", str(turn.max_raise)]
    return ":".join(fields)


def decode_turn(street: int, text: str) -> BlockheadTurn:
    """What follows ``bet1:``, ``bet2:`` or ``bet3:``.

    Raises:
        ProtocolError: a section is missing or unreadable.
    """
    sections = split_sections(text.split(":"), ("up", "bets", "raise"))
    names = [name for name, _ in sections]
    (_, own), *others, (_, bets), (_, most) = sections if len(sections) > 3 else [("", [])] * 3
    if names != ["", *["up"] * len(others), "bets", "raise"] or len(own) != 5 + street or len(most) != 1:
        raise ProtocolError(
            f"bet{street} needs stack, pot, owed, hole and {street + 1} up cards, 'up' and cards for each opponent, "
            "'bets', and 'raise' with a number"
        )
    try:
        return BlockheadTurn(
            street,
            read_chips(own[0], debts=True),
            read_chips(own[1]),
            read_chips(own[2]),
            parse_card(own[3]),
            read_cards(own[4:]),
            tuple(read_cards(cards) for _, cards in others),
            tuple(read_seat_chips(bet) for bet in bets),
            read_chips(most[0]),
        )
    except ValueError as error:
        raise ProtocolError(f"bet{street}: {error}") from None


#: The entry point ``blockhead`` of the group ``casino.wire``.
TEXT = GameText(
    turns={BlockheadTurn: encode_turn},
    commands={
        **{f"bet{street}": partial(decode_turn, street) for street in range(1, STREETS + 1)},
        "status": decode_status,
    },
)
