"""Messages as colon text. A reply is read by what was asked: ``KS:Steph`` answers a login, ``bet:20`` a turn."""

from collections.abc import Callable
from typing import Any

from protocol.games.base import FOLD, Action, Bet, Fold
from protocol.wire import stud
from protocol.wire.messages import Command, Done, Login, Name, ProtocolError, Reply

_AMOUNT_DIGITS = 9
_SHOWN = 60
"""Characters of a bad message that an error repeats."""

TURNS: dict[type, Callable[[Any], str]] = {**stud.TURNS}
"""The questions of all games, with what writes them."""

_ENCODERS: dict[type, Callable[[Any], str]] = {
    Bet: lambda bet: f"bet:{bet.amount}",
    Fold: lambda _fold: "fold",
    Login: lambda _login: "login",
    Name: lambda name: f"{name.id}:{name.avatar}",
    Done: lambda done: f"done:{done.reason}",
    **TURNS,
    **stud.STATUSES,
}

_DECODERS: dict[str, Callable[[str], Command]] = {
    "login": lambda _nothing: Login(),
    "done": Done,
    **stud.COMMANDS,
}


def encode(message: Command | Reply) -> str:
    """The text of any message."""
    return _ENCODERS[type(message)](message)


def decode_name(text: str) -> Name:
    """The answer to a login: ``<id>:<avatar>``, split at the first colon, blanks around either dropped.

    Raises:
        ProtocolError: no colon, or an id or avatar that is not allowed.
    """
    id_, colon, avatar = text.partition(":")
    if not colon:
        raise ProtocolError(f"expected '<id>:<avatar>', got {_quoted(text)}")
    return Name(id_.strip(), avatar.strip())


def decode_action(text: str) -> Action:
    """The answer to a turn: ``fold`` or ``bet:<chips put in now>``.

    Raises:
        ProtocolError: anything else.
    """
    if text == "fold":
        return FOLD
    amount = text[4:]
    if text.startswith("bet:") and amount.isdecimal() and amount.isascii() and len(amount) <= _AMOUNT_DIGITS:
        return Bet(int(amount))
    raise ProtocolError(f"expected 'fold' or 'bet:<chips>', got {_quoted(text)}")


def decode_command(text: str) -> Command:
    """What the dealer says, read by a bot.

    Raises:
        ProtocolError: no command, or one whose fields cannot be read.
    """
    verb, _, rest = text.partition(":")
    if verb not in _DECODERS:
        raise ProtocolError(f"expected one of {', '.join(_DECODERS)}, got {_quoted(text)}")
    return _DECODERS[verb](rest)


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}... ({len(text)} characters)"
