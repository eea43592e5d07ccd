"""The lines of the documentation that check or practise a bot are run with the starters of stud.

Those of the other games are run where their starters are compiled, in the tests of ``casino new``.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
import trio

from bots.new_program import GAMES, STARTERS, copy_starter
from tests.docs.pages import ROOT, blocks, page
from tests.docs.program_lines import program_lines, run_line
from tests.docs.shell import search_path
from tests.end_to_end.casino import ENVIRONMENT
from tests.end_to_end.forked import run_forked
from tests.patience import PATIENCE

if sys.platform == "win32":
    pytest.skip("the commands are those of a shell", allow_module_level=True)

#: Points of a starter of stud, which does not look at its cards enough.
POINTS = "153.8 of 180 points"


@pytest.mark.parametrize("language", STARTERS)
def test_pages_have_lines_of_each_starter(language: str) -> None:
    for game in ("stud", *GAMES):
        assert program_lines(language, game)


@pytest.mark.parametrize("language", STARTERS)
def test_lines_of_stud_run(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "mybot"
    copy_starter(folder, language)
    if build := STARTERS[language].build:
        subprocess.run(shlex.split(build), cwd=folder, check=True, capture_output=True)
    if language == "python":
        shutil.copy(folder / "poker.py", folder / "mybot.py")
    for line in program_lines(language, "stud"):
        if "--junit" in line:  # a line of the loop below
            continue
        done = run_line(line, folder)
        assert done.returncode == 0, line + done.stdout + done.stderr
        if line.startswith("casino check"):
            assert POINTS in done.stdout, line + done.stdout


def test_a_class_is_graded_as_the_page_says(tmp_path: Path) -> None:
    (loop,) = (body for kind, body in blocks(page("dealer/docs/grade-bots.md")) if kind == "sh" and "for " in body)
    project = tmp_path / "class" / "submissions" / "ada" / "Project01"
    copy_starter(project, "java")
    done = run_line(loop.replace("casino check stud", "casino check stud --limit 30"), tmp_path / "class")
    assert done.returncode == 0, done.stderr
    assert POINTS.startswith(f"{json.loads((project.parent / 'results.json').read_text())['points']:g} of")
    assert ElementTree.parse(project.parent / "results.xml").getroot().tag == "testsuite"


BLOCKS = blocks(page("protocol/docs/adding-a-game.md"))
PACKAGE = ROOT / "tests" / "leduc_package"
INSTALL, *COMMANDS = next(body for kind, body in BLOCKS if kind == "sh").splitlines()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the package as an installation has it, built without the network."""
    assert f"pip install ./{PACKAGE.relative_to(ROOT).as_posix()}" == INSTALL
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=PACKAGE, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    return tmp_path / "site"


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a shell")
async def test_commands_work_with_the_package(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    environment = {
        **ENVIRONMENT,
        "PATH": search_path(tmp_path / "bin"),
        "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)]),
    }
    for line in COMMANDS:
        command, *words = shlex.split(line)
        assert command == "casino"
        with trio.fail_after(PATIENCE):
            done = await run_forked(words, b"", environment)
        assert done.returncode == 0, (line, done.stdout, done.stderr)


@pytest.mark.parametrize("kind", ["python", "toml"])
def test_code_shown_is_the_packages(kind: str) -> None:
    files = [path.read_text(encoding="utf-8") for path in [*PACKAGE.rglob("*.py"), PACKAGE / "pyproject.toml"]]
    shown = [body for block, body in BLOCKS if block == kind]
    assert shown
    for body in shown:
        assert any(body in text for text in files), body
