"""What the contract promises of every game's options: they are written, read back and refused in one place."""

from dataclasses import replace

import pytest

from dealer.settings import LeagueWords, Settings
from protocol.games.game import Game, Option
from protocol.games.registry import UnknownGameError, load_game, options_help, shared_options


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
    record = settings.as_record()
    assert Settings.from_record(record) == settings
    del record["origin"]["sandbox_python"]  # as in journals of earlier versions
    assert Settings.from_record(record).origin == replace(league, sandbox_python=())


def test_a_start_record_without_an_option_is_refused(game: Game) -> None:
    record = Settings(bytes(32), game, hands=game.hands).as_record()
    for entry in game.options():
        with pytest.raises(ValueError, match=entry.name):
            Settings.from_record({name: fact for name, fact in record.items() if name != entry.name})


def test_help_names_each_game_with_its_default(game: Game) -> None:
    for entry in game.options():
        told = options_help(shared_options()[entry.name])
        assert (game.name if entry.switch else f"{game.name}: {entry.default}") in told


def test_a_game_that_is_not_installed() -> None:
    with pytest.raises(UnknownGameError, match="there is no game 'chess'; installed are blockhead"):
        load_game("chess")
