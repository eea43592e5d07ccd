"""``casino new``: a folder to start from, and nothing overwritten."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bots.new_program import GAMES, STARTERS, copy_starter
from tests.bots.test_new import SOURCES
from tests.docs.program_lines import program_lines, run_line
from tests.end_to_end.casino import run


def test_the_python_starters_test_passes(tmp_path: Path) -> None:
    copy_starter(tmp_path, "python")
    done = subprocess.run([sys.executable, "-m", "unittest"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ran 3 tests" in done.stderr


@pytest.mark.parametrize("language", STARTERS)
@pytest.mark.parametrize("game", GAMES)
async def test_starter_of_another_game_passes_its_test_the_lines_of_its_pages_and_a_league(
    game: str, language: str, tmp_path: Path
) -> None:
    outcome = await run("new", tmp_path / "p", "--lang", language, "--game", game)
    assert (outcome.code, outcome.err) == (0, "")
    starter = STARTERS[language]
    assert f"casino check {game} -- {starter.run}" in outcome.out
    assert ("casino new FOLDER --lang cpp --native" in outcome.out) == (game == "dice")
    for command in filter(None, (starter.build, starter.test)):
        done = subprocess.run(shlex.split(command), cwd=tmp_path / "p", capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    program = {
        "python": [sys.executable, str(tmp_path / "p" / "poker.py"), "{host}", "{port}"],
        "java": ["java", "-cp", str(tmp_path / "p"), "Poker", "{host}", "{port}"],
        "cpp": [str(tmp_path / "p" / "poker"), "{host}", "{port}"],
    }[language]
    for line in program_lines(language, game):
        practised = run_line(line, tmp_path / "p")
        assert practised.returncode == 0, line + practised.stdout + practised.stderr
    words = ("caller", "random", "--bot-cmd", shlex.join(program), "--hands", "30", "--limit", "30", "--json")
    played = await run("league", game, *words)
    assert played.code == 0, played.err
    standings = json.loads(played.out)["standings"]
    assert len(standings) == 3
    assert [standing["faults"] for standing in standings] == [[]] * 3


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


async def test_an_unknown_language_is_bad_usage(tmp_path: Path) -> None:
    outcome = await run("new", tmp_path / "x", "--lang", "cobol")
    assert outcome.code == 2
    assert not (tmp_path / "x").exists()
