"""The command lines of the documentation are run: with fewer hands, and with the starters of stud.

Those of the other games are run where their starters are compiled, in the tests of ``casino new``.
"""

import json
import os
import re
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
from tests.bots.environments.untrained import save_untrained
from tests.docs.pages import ROOT, blocks, page
from tests.docs.program_lines import program_lines, run_line, search_path
from tests.docs.test_pages import PAGES, command_lines
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


@pytest.mark.long
@pytest.mark.parametrize("language", STARTERS)
async def test_lines_of_stud_run(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "mybot"
    copy_starter(folder, language)
    if build := STARTERS[language].build:
        subprocess.run(shlex.split(build), cwd=folder, check=True, capture_output=True)
    if language == "python":
        shutil.copy(folder / "poker.py", folder / "mybot.py")
    for line in program_lines(language, "stud"):
        if "--junit" in line:  # a line of the loop below
            continue
        done = await run_line(line, folder)
        assert done.code == 0, line + done.out + done.err
        if line.startswith("casino check"):
            assert POINTS in done.out, line + done.out


def test_a_class_is_graded_as_the_page_says(tmp_path: Path) -> None:
    (loop,) = (body for kind, body in blocks(page("dealer/docs/grade-bots.md")) if kind == "sh" and "for " in body)
    project = tmp_path / "class" / "submissions" / "ada" / "Project01"
    copy_starter(project, "java")
    typed = loop.replace("casino check stud", "casino check stud --limit 30")
    environment = {**ENVIRONMENT, "PATH": search_path(tmp_path / "bin"), "PYTHONPATH": str(ROOT)}
    subprocess.run(["sh", "-c", typed], cwd=tmp_path / "class", env=environment, check=True, timeout=PATIENCE)
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


#: Commands that end by themselves and need nothing but the files of ``folder``. Each of the others has its own tests.
ALONE = {"league", "simulate", "new", "verify", "replay", "report"}

#: Words of lines that need something else: Java, a sandbox, programs of the ACPC, the bot just explained, a journal
#: of another game, a page that stays open until it is ended, a cluster.
NEEDS = re.compile(
    r"\bjava\b|--sandbox|\bspades\b|\{host\}.*poker \{host\}|--export phh|--export acpc|replay.*--page|--acpc-cmd|tcp://"
)


def shortened(words: list[str]) -> list[str]:
    """A command line that plays a little of what it says."""
    short = list(words)
    for flag, few in (("--hands", "20"), ("--deals", "2"), ("--games", "2"), ("--series", "2"), ("--levels", "2")):
        if flag in short:
            short[short.index(flag) + 1] = few
    if words[0] == "league" and not {"--hands", "--games", "--levels"} & set(words):
        short += ["--hands", "5"]
    if words[0] == "league" and "--limit" not in words:
        short += ["--limit", "30"]
    if words[0] == "simulate" and "--deals" not in words:
        short += ["--deals", "2"]
    return short


LINES = sorted(
    {
        shlex.join(shortened(words))
        for path in PAGES
        for words in command_lines(path)
        if words[:1] and words[0] in ALONE and not NEEDS.search(" ".join(words))
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the pages speak of: a journal, a bot, and the roster, rubric and checks of a class."""
    made = tmp_path_factory.mktemp("docs")
    shutil.copytree(ROOT / "bots" / "starters" / "python", made / "starter")
    for name in ("poker.py", "mybot.py"):
        shutil.copy(made / "starter" / "poker.py", made / name)
    (made / "class.csv").write_text("id,name\nsteph,Steph K.\ncaller,Cal L.\n")
    (rubric,) = (body for kind, body in blocks(page("dealer/docs/after-the-tournament.md")) if kind == "toml")
    (made / "rubric.toml").write_text(rubric)
    for result in (made / "checks" / "caller.json", made / "submissions" / "caller" / "results.json"):
        result.parent.mkdir(parents=True)
        result.write_text('{"game": "stud", "points": 60, "of": 80}')
    save_untrained(made / "stud.npz", "stud")
    program = shlex.quote("python3 poker.py {host} {port}")
    recorded = "--hands 20 --limit 30 --seed docs --journal friday.journal"
    done = trio.run(run_line, f"casino league stud caller tight {recorded} --bot-cmd {program}", made)
    assert done.code == 0, done.err
    return made


def test_most_pages_have_lines_that_run() -> None:
    assert len(LINES) > 20


@pytest.mark.parametrize("line", LINES)
async def test_line_runs(line: str, folder: Path) -> None:
    # a new place for each, since nothing is replaced
    typed = re.sub(r"(--report|--out) \S+", rf"\1 new{LINES.index(line)}", line)
    if line.startswith("new"):
        shutil.rmtree(folder / "mybot", ignore_errors=True)
    done = await run_line(f"casino {typed}", folder)
    assert done.code == 0, done.out + done.err
    assert "Traceback" not in done.err
