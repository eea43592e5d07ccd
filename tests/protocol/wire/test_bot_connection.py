"""The bot's end of a session takes one command at a time."""

import pytest

from protocol.games.base import FOLD
from protocol.wire.codec import encode
from protocol.wire.connection import BotConnection, State
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Command, Done, Login, ProtocolError
from tests.protocol.helpers import commands_in
from tests.protocol.sessions import NAME, STATUS, TURN, pair_in, utf


def test_a_bot_receives_what_is_complete_in_order() -> None:
    bot = BotConnection(UtfFraming())
    stream = utf("login")
    assert commands_in(bot, stream[:4]) == []
    assert commands_in(bot, stream[4:]) == [Login()]
    bot.send(NAME)
    stream = utf(encode(STATUS), encode(STATUS), encode(TURN), "done:over")
    assert commands_in(bot, stream[:-1]) == [STATUS, STATUS, TURN]
    assert commands_in(bot, stream[-1:]) == [Done("over")]


@pytest.mark.parametrize("news", [STATUS, Done("you are out")])
def test_bot_reads_commands_that_came_with_a_question(news: Command) -> None:
    """A dealer that has stopped waiting goes on: its next words may be in the same read as the question."""
    bot = pair_in(State.SEATED).bot
    bot.receive(utf(encode(TURN), encode(news)))
    assert bot.next_command() == TURN
    assert bot.send(FOLD) == utf("fold")
    assert bot.next_command() == news
    assert bot.next_command() is None


def test_bot_takes_commands_one_at_a_time() -> None:
    bot = pair_in(State.SEATED).bot
    bot.receive(utf(encode(STATUS), encode(TURN)))
    steps = [(bot.state, bot.next_command()) for _ in range(3)]
    assert steps == [(State.SEATED, STATUS), (State.SEATED, TURN), (State.ASKED, None)]


@pytest.mark.parametrize(
    "nonsense",
    [
        utf("hello"),
        utf(""),
        utf("bet1:1:2"),
        utf("bet3:1:2:3:AS:KS:up:AS"),
        utf("status:win:AS"),
        b"\x00\x01\xff",
        b"\x00\x04\xf0\x9f\x98\x80",
    ],
)
def test_a_bot_refuses_nonsense(nonsense: bytes) -> None:
    bot = pair_in(State.SEATED).bot
    with pytest.raises(ProtocolError):
        commands_in(bot, nonsense)
