"""The text of dice: ``dice``, which is answered by ``bet`` or ``fold``, and a ``status`` of its own."""

from protocol.dice import SIDES
from protocol.games.base import FOLD, Action, Bet, Fold
from protocol.games.dice import BET_SIZES, DiceStatus, DiceTurn
from protocol.wire.fields import read_chips
from protocol.wire.messages import ProtocolError, QuitGame, quoted
from protocol.wire.text import ActionText, GameText

#: The numbers of a status, after which the opponent's die is shown or not.
_FOLDED, _SHOWDOWN = (2, 3), (4, 5)


def encode_turn(turn: DiceTurn) -> str:
    """``dice:<B>:<0 first, 1 second>:<own die>:<number of the opponent>``."""
    return f"dice:{turn.bet}:{turn.second}:{turn.die}:{turn.opponent}"


def decode_turn(text: str) -> DiceTurn:
    """What follows ``dice:``.

    Raises:
        ProtocolError: there are not four numbers, or one of them is not in the game.
    """
    try:
        bet, second, die, opponent = map(read_chips, text.split(":"))
    except ValueError:
        raise ProtocolError("dice needs B, 0 or 1, the own die and the number of the opponent") from None
    if bet not in BET_SIZES or second not in (0, 1) or not 1 <= die <= SIDES:
        raise ProtocolError(f"dice needs B from 3 to 18, 0 or 1, and a die from 1 to 6, got {quoted(text)}")
    return DiceTurn(bet, second, die, opponent)


def encode_status(status: DiceStatus) -> str:
    """``status:<2 or 3 the opponent folded, 4 or 5 showdown>:<the opponent's die, or 0>:<chips won>``."""
    return f"status:{status.state}:{status.die}:{status.chips}"


def decode_status(text: str) -> DiceStatus:
    """What follows ``status:``.

    Raises:
        ProtocolError: there are not three numbers, or they do not fit together.
    """
    try:
        state, die, won = text.split(":")
        number, pips, chips = read_chips(state), read_chips(die), read_chips(won, debts=True)
    except ValueError:
        raise ProtocolError("status needs a number from 2 to 5, the opponent's die or 0, and the chips won") from None
    showdown = number in _SHOWDOWN
    if number not in (*_FOLDED, *_SHOWDOWN) or showdown != (1 <= pips <= SIDES) or (not showdown and pips):
        raise ProtocolError(f"status needs 2 or 3 with 0, or 4 or 5 with a die from 1 to 6, got {quoted(text)}")
    return DiceStatus(number % 2, showdown, pips, chips)


def encode_action(action: Action) -> str:
    """``bet`` or ``fold``."""
    return "fold" if isinstance(action, Fold) else "bet"


def decode_action(text: str, turn: DiceTurn) -> Action:
    """The action that a reply stands for: ``bet`` puts in what is missing to B.

    Raises:
        QuitGame: ``quit``.
        ProtocolError: anything else.
    """
    match text:
        case "bet":
            return Bet(turn.owed)
        case "fold":
            return FOLD
        case "quit":
            raise QuitGame("you quit")
    raise ProtocolError(f"expected 'fold' or 'bet', got {quoted(text)}")


#: The entry point ``dice`` of the group ``casino.wire``.
TEXT = GameText(
    turns={DiceTurn: encode_turn},
    commands={"dice": decode_turn, "status": decode_status},
    statuses={DiceStatus: encode_status},
    actions=ActionText(encode_action, decode_action),
)
