"""The guides that list games list all that come with the project."""

import re

import pytest

from protocol.installed import entry_points
from tests.docs.pages import page

#: Games of the project itself; a test environment may have others.
GAMES = [point.name for point in entry_points(group="casino.games") if point.value.startswith("protocol.")]


@pytest.mark.parametrize("name", ["README.md", "bots/README.md", "bots/docs/check.md", "bots/docs/write-a-bot.md"])
def test_bots_guides_name_every_game(name: str) -> None:
    assert missing(page(name)) == []


@pytest.mark.parametrize("name", ["dealer/README.md", "dealer/docs/choose-a-tournament.md"])
def test_hosting_guides_name_every_game_at_the_start(name: str) -> None:
    assert missing(page(name)[:2000]) == []


@pytest.mark.parametrize("game", ["stud", "holdem", "dice"])
def test_page_about_practice_names_what_can_be_practised(game: str) -> None:
    assert f"`{game}`" in page("bots/docs/practise.md").partition(" can be\npractised")[0]


def missing(text: str) -> list[str]:
    return [game for game in GAMES if not re.search(rf"\b{game}\b", text)]
