"""``casino new``: a folder to start from, and nothing overwritten."""

import re
from pathlib import Path

import pytest

from bots.new_program import GAMES, STARTERS, NewFolderError, copy_starter
from tests.end_to_end.casino import run

SOURCES = Path(__file__).parents[2] / "bots" / "starters"


@pytest.mark.parametrize("language", STARTERS)
async def test_new_folder_holds_the_starter(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "my" / "player"
    outcome = await run("new", folder, "--lang", language)
    assert (outcome.code, outcome.err) == (0, "")
    starter = STARTERS[language]
    assert {path.name for path in folder.iterdir()} == set(starter.files)
    for name in starter.files:
        assert (folder / name).read_bytes() == (SOURCES / language / name).read_bytes()
    assert f"cd {folder}" in outcome.out
    assert f"casino check stud -- {starter.run}" in outcome.out


async def test_nothing_is_overwritten(tmp_path: Path) -> None:
    mine = tmp_path / "README.md"
    mine.write_text("mine")
    outcome = await run("new", tmp_path, "--lang", "java")
    assert outcome.code == 2
    assert outcome.complaint == [f"casino: {mine} exists already, and is not overwritten; name another folder"]
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert mine.read_text() == "mine"


def test_a_folder_with_other_files_can_be_used(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    copy_starter(tmp_path, "python")
    assert (tmp_path / "poker.py").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NewFolderError, match=r"cannot write .*file.*: (Not a directory|File exists)"):
        copy_starter(tmp_path / "file" / "folder", "cpp")


async def test_an_unknown_language_is_bad_usage(tmp_path: Path) -> None:
    outcome = await run("new", tmp_path / "x", "--lang", "cobol")
    assert outcome.code == 2
    assert not (tmp_path / "x").exists()


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
