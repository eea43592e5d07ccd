"""What the house bots say of themselves, and what is said of a bot that says nothing."""

from importlib.metadata import EntryPoint, EntryPoints
from typing import Any, get_args

import pytest

from bots import strategy
from bots.catalogue import catalogue, entry, playing, show_bots
from bots.strategy import ENTRY_POINTS, Level, bot_names, load_maker
from protocol import installed
from protocol.games.registry import game_names


@pytest.mark.parametrize("name", bot_names())
def test_bots_state_level_and_source(name: str) -> None:
    bot = entry(name)
    assert bot.level in get_args(Level)
    assert bot.source
    assert "\n" not in bot.source
    assert set(bot.games) <= set(game_names())


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("level", get_args(Level))
def test_games_have_opponents_of_every_level(game: str, level: str) -> None:
    assert [bot for bot in playing(game) if bot.level == level]


def test_catalogue_with_silent_and_broken_bots(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    points = EntryPoints(
        [
            EntryPoint("broken", "no_such_module:Bot", ENTRY_POINTS),
            EntryPoint("guest", "tests.bots.helpers:Scripted", ENTRY_POINTS),
        ]
    )
    for module in (strategy, installed):
        monkeypatch.setattr(module, "entry_points", points.select)
    found, broken = catalogue()
    assert [(bot.name, bot.games, bot.level, bot.source) for bot in found] == [
        ("guest", tuple(map(str, game_names())), "", "")
    ]
    assert show_bots(as_json=False) == broken
    assert "guest" in capsys.readouterr().out
    assert "the bot 'broken'" in broken[0]


HOLDEM_LEAGUE = [
    *("holdem", "equity", "caller", "maniac", "tight", "random"),
    *("simple", "sklansky", "rollout-5", "cornell"),
]


@pytest.mark.parametrize(
    ("game", "league"),
    [
        ("stud", ["stud", "tight", "caller", "pair-or-fold", "maniac", "random"]),
        ("blockhead", ["alpha", "beta"]),
        ("holdem", HOLDEM_LEAGUE),
        (
            "dice",
            [
                "dice-adaptive",
                "dice-equilibrium",
                "caller",
                "dice-four",
                "dice-price",
                "dice-luck",
                "dice-memory",
                "random",
            ],
        ),
    ],
)
def test_bots_that_join_a_default_league_in_order(game: str, league: list[str]) -> None:
    makers: dict[str, Any] = {name: load_maker(name) for name in bot_names()}
    places = {name: maker.default_in[game] for name, maker in makers.items() if game in maker.default_in}
    assert sorted(places, key=lambda name: places[name]) == league
    assert sorted(places.values()) == list(range(1, len(league) + 1))
    assert all(game in entry(name).games for name in league)
