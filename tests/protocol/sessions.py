"""Sessions brought to each state, for tests of either end."""

from protocol.cards import parse_card, parse_cards
from protocol.games.base import Status
from protocol.games.stud import StudTurn
from protocol.wire.connection import State
from protocol.wire.framing import Framing, UtfFraming
from protocol.wire.messages import Command, Done, Login, Name, Reply
from tests.protocol.helpers import ConnectionPair

TURN = StudTurn(1, 208, 24, 12, parse_card("KS"), parse_cards("10D"), (parse_cards("AS"), parse_cards("10D")))
STATUS = Status(True, parse_cards("KS 10D 10S"))
NAME = Name("steph", "Steph")
PATHS: dict[State, list[Command | Reply]] = {
    State.CONNECTED: [],
    State.NAMING: [Login()],
    State.SEATED: [Login(), NAME],
    State.ASKED: [Login(), NAME, TURN],
    State.CLOSED: [Done("over")],
}


def pair_in(state: State, framing: Framing | None = None) -> ConnectionPair:
    pair = ConnectionPair(framing)
    for message in PATHS[state]:
        pair.say(message)
    assert pair.dealer.state is pair.bot.state is state
    return pair


def utf(*texts: str) -> bytes:
    return b"".join(map(UtfFraming().encode, texts))
