"""What the contract promises of every game's text on the wire."""

from contextlib import suppress
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from protocol.games.base import Hand
from protocol.games.game import Game
from protocol.wire.codec import decode_command, encode
from protocol.wire.connection import BotConnection, DealerConnection
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import GameInfo, Login, Name, ProtocolError
from tests.contract.playouts import deal, moments

chances = st.integers(0, 2**32).map(Random)


@given(chance=chances)
def test_every_message_is_read_back(game: Game, chance: Random) -> None:
    last: Hand
    for last, action in moments(deal(game, chance)[0], chance):
        if action is not None and last.to_act is not None:
            turn = last.view(last.to_act)
            assert decode_command(encode(turn), game.name) == turn
    for status in filter(None, last.settle().statuses()):
        assert decode_command(encode(status), game.name) == status


@given(chance=chances, cut=st.floats(0, 1), noise=st.sampled_from(["", ":", "x", "=", ":-1", ":2X"]))
def test_damaged_messages_are_protocol_errors(game: Game, chance: Random, cut: float, noise: str) -> None:
    hand, _ = deal(game, chance)
    if hand.to_act is None:
        return
    text = encode(hand.view(hand.to_act))
    damaged = text[: int(cut * len(text))] + noise
    with suppress(ProtocolError):  # and no other error
        decode_command(damaged, game.name)


def test_a_session_of_the_game(game: Game) -> None:
    dealer, bot = DealerConnection(UtfFraming()), BotConnection(UtfFraming())
    chance = Random(5)

    def tell(message: object) -> object:
        bot.receive(dealer.send(message))  # type: ignore[arg-type]
        return bot.next_command()

    tell(Login())
    dealer.receive(bot.send(Name("a", "A")))
    info = GameInfo.about(game, 0, 2)
    if game.announced:
        assert tell(info) == info
    for moment, action in moments(deal(game, chance)[0], chance):
        if action is None or moment.to_act is None:
            break
        assert tell(moment.view(moment.to_act)) == moment.view(moment.to_act)
        assert dealer.receive(bot.send(action)) == action
    for status in filter(None, moment.settle().statuses()):
        assert tell(status) == status
