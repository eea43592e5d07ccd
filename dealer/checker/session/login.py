"""The first question: who is there."""

from dealer.checker.scoring.causes import of_bytes, of_login, of_silent_login
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.talk import Lost, Talk
from dealer.checker.session.wire_log import Came
from protocol.wire.codec import decode_name, encode
from protocol.wire.messages import Name, ProtocolError

BEHIND_SECONDS = 0.2
"""How long is listened for what a wrong length has left behind the first message."""


async def log_in(talk: Talk) -> None:
    """Ask for the name, and hold it against the rules and against what was said on earlier connections.

    Raises:
        Lost: there is no name that can be read.
    """
    async with talk.listening(LineId.LOGIN, LineId.LOGIN):
        came = await talk.put("login")
        if came is None and talk.visit.more:  # the program talks on the last connection it has opened
            talk.go_on_with(talk.visit.more[-1])
            came = await talk.put("login")
        if came is None:
            raise _never_answered(talk)
        _compare(talk, await _read(talk, came), came)


def _never_answered(talk: Talk) -> Lost:
    rest = talk.wire.drop_rest()
    cause = of_bytes(rest, talk.lines) if rest else of_silent_login(talk.printed, talk.lines)
    return talk.lost(LineId.LOGIN, f"no whole reply came within {talk.waited}", rest, cause)


async def _read(talk: Talk, came: Came) -> Name:
    """The name, if the message is one and nothing but it came."""
    behind = talk.wire.pending
    if not came.text or behind:
        behind = await talk.wire.linger(BEHIND_SECONDS)
    raw = came.raw + behind
    try:
        name = decode_name(came.known())
    except ProtocolError as error:
        cause = of_bytes(raw, talk.lines) or of_login(came.text or "")
        raise talk.lost(LineId.LOGIN, f"the name cannot be read: {error}", raw, cause) from None
    announced = len(came.raw) - 2
    if behind and not talk.lines and len(raw[2:].decode(errors="ignore")) == announced:
        raise talk.lost(LineId.LOGIN, "more bytes came than the length announces", raw, of_bytes(raw, talk.lines))
    return name


def _compare(talk: Talk, name: Name, came: Came) -> None:
    names = talk.findings.names
    names.append(encode(name))
    if names[-1] == names[0]:
        talk.findings.fine(LineId.LOGIN)
    else:
        what = f"on another connection the name was {names[0]!r}; it has to be the same each time"
        talk.wrong(LineId.LOGIN, what, came.raw, "the name is made by chance, or counts something")
