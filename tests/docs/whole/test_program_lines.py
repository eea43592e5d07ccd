"""The lines of the documentation that check or practise a bot are run with the starters of stud.

Those of the other games are run where their starters are compiled, in the tests of ``casino new``.
"""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bots.new_program import GAMES, STARTERS, copy_starter
from tests.docs.pages import blocks, page
from tests.docs.program_lines import program_lines, run_line

if sys.platform == "win32":
    pytest.skip("the commands are those of a shell", allow_module_level=True)

#: Points of a starter of stud, which does not look at its cards enough; a check asks for all of them without --pass.
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
        expected = 1 if line.startswith("casino check") else 0
        assert done.returncode == expected, line + done.stdout + done.stderr
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
