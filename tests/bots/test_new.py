"""The folders that ``casino new`` makes, and the READMEs of the starters."""

import re
from pathlib import Path

import pytest

from bots.new_program import GAMES, STARTERS, NewFolderError, copy_starter

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
