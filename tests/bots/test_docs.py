"""The examples of a house bot and of environments run, the page of house bots is whole, and ``casino new``."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bots.arena import play_hands
from bots.catalogue import playing
from bots.new_program import GAMES, STARTERS, NewFolderError, copy_starter
from bots.strategies.caller import Caller
from protocol.games.stud import StudGame
from protocol.installed_bots import bot_names
from protocol.shuffle import seed_from_text
from tests.docs.pages import blocks, page, section

EXAMPLE, LIST = page("bots/docs/write-a-house-bot.md"), page("bots/docs/house-bots.md")


def test_the_example_of_a_house_bot_keeps_the_rules() -> None:
    names: dict[str, Any] = {}
    (example,) = (body for kind, body in blocks(EXAMPLE) if kind == "python")
    exec(example, names)
    strategies = [names["Spades"](Random(1)), Caller(Random(1))]
    hands = list(play_hands(StudGame(60), strategies, seed_from_text("readme"), 300, False))
    assert any(hand.settlement.payoffs[0] > 1 for hand in hands)


@pytest.mark.parametrize("name", ["learning", "observations"])
def test_the_examples_of_environments_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for kind, body in blocks(page(f"bots/docs/{name}.md")):
        if kind == "python":
            exec(body, {})
    assert ("hole 52 0 1 the own hole card" in capsys.readouterr().out) == (name == "observations")


def named(text: str) -> set[str]:
    """The bots that the first cells of tables name; "`a-1` to `a-3`" names all between."""
    cells = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    names = {name for cell in cells for name in re.findall(r"`(.*?)`", cell)}
    for kind, first, last in re.findall(r"`(\S+-)(\d+)` to `\1(\d+)`", "\n".join(cells)):
        names |= {f"{kind}{number}" for number in range(int(first), int(last) + 1)}
    return names


def test_every_installed_bot_is_described() -> None:
    assert named(section(LIST, "## What they do")) == set(bot_names())


def test_every_bot_of_stud_is_measured() -> None:
    measured = named(section(LIST, "## How strong they are"))
    assert measured >= {bot.name for bot in playing("stud")}


SOURCES = Path(__file__).parents[2] / "bots" / "starters"


def test_a_folder_with_other_files_can_be_used(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    copy_starter(tmp_path, "python")
    assert (tmp_path / "poker.py").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NewFolderError, match=r"cannot write .*file.*: (Not a directory|File exists)"):
        copy_starter(tmp_path / "file" / "folder", "cpp")


def test_a_game_that_no_starter_plays_is_told(tmp_path: Path) -> None:
    with pytest.raises(
        NewFolderError, match=r"no starter plays leduc; games with a starter: stud, blockhead, dice, holdem$"
    ):
        copy_starter(tmp_path / "p", "java", "leduc")
    assert not (tmp_path / "p").exists()


@pytest.mark.parametrize("game", ["stud", *GAMES])
@pytest.mark.parametrize("language", STARTERS)
def test_the_readme_of_a_starter_shows_its_own_commands(language: str, game: str) -> None:
    starter = STARTERS[language]
    text = (SOURCES / language / ("" if game == "stud" else game) / "README.md").read_text()
    commands = [starter.build, starter.test, f"casino check {game} -- {starter.run}"]
    if game != "blockhead":  # the one game of the house that cannot be practised
        commands.append(f"casino practice {game} -- {starter.run}")
    for command in commands:
        assert command in re.sub(r"\s+#.*", "", text)
