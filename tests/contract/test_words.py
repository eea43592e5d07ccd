"""What the contract promises of every game's options and text: written, read back and refused."""

from contextlib import suppress
from dataclasses import replace
from random import Random

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from dealer.journal.records import StartRecord, pack_record
from dealer.settings import LeagueWords, Settings
from protocol.games.base import Hand
from protocol.games.game import Game, Option
from protocol.games.registry import UnknownGameError, load_game, options_help, shared_options
from protocol.wire.codec import decode_command, encode
from protocol.wire.connection import BotConnection, DealerConnection
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import GameInfo, Login, Name, ProtocolError
from tests.contract.playouts import deal, moments
from tests.dealer.support.raw_records import typed_start


def other_value(entry: Option) -> int | str:
    """A value that is allowed and not the default."""
    if entry.choices:
        return next(choice for choice in entry.choices if choice != entry.default)
    assert isinstance(entry.default, int)
    return entry.default + 1


def test_options_say_what_they_are(game: Game) -> None:
    for entry in game.options():
        assert entry.help.endswith(".")
        entry.check(entry.default)
        assert getattr(game, entry.name) == entry.default


def test_facts_are_read_back(game: Game) -> None:
    read = 0
    for entry in game.options():
        changed = replace(game, **{entry.name: other_value(entry)})  # type: ignore[arg-type]
        try:
            changed.check()
        except ValueError:  # this value does not go with the other defaults
            continue
        assert type(game).from_facts(changed.facts) == changed != game
        read += 1
    assert read > len(game.options()) / 2


@pytest.mark.parametrize("value", [None, -1, 10**12, "no such word", 1.5, True, b"1"])
def test_wrong_values_are_refused(game: Game, value: object) -> None:
    for entry in game.options():
        with pytest.raises(ValueError, match=f"^{entry.name}: expected"):
            type(game).from_facts({entry.name: value})


def test_settings_are_read_back_from_a_start_record(game: Game) -> None:
    league = LeagueWords(("caller",), ("./bot {port}",), True, (), ("/opt/python",))
    settings = Settings(bytes(32), game, hands=game.hands, origin=league)
    raw = msgpack.unpackb(pack_record(StartRecord.of(settings, [], 0.0)))
    assert typed_start(raw).settings() == settings
    del raw["origin"]["sandbox_python"]  # as in journals of earlier versions
    assert typed_start(raw).settings().origin == replace(league, sandbox_python=())


def test_a_start_record_without_an_option_is_refused(game: Game) -> None:
    start = StartRecord.of(Settings(bytes(32), game, hands=game.hands), [], 0.0)
    for entry in game.options():
        options = {name: fact for name, fact in start.options.items() if name != entry.name}
        with pytest.raises(ValueError, match=entry.name):
            with_fields(start, options=options).settings()


def test_help_names_each_game_with_its_default(game: Game) -> None:
    for entry in game.options():
        told = options_help(shared_options()[entry.name])
        assert (game.name if entry.switch else f"{game.name}: {entry.default}") in told


def test_a_game_that_is_not_installed() -> None:
    with pytest.raises(UnknownGameError, match="there is no game 'chess'; installed are blockhead"):
        load_game("chess")


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
