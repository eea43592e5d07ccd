"""A student's files in the current folder, named like modules of ours or of Python, are imported by no process."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bots.human.web.peer import open_peer
from tests.docs.pages import ROOT
from tests.end_to_end.casino import start

#: The installed command, which does not look into the current folder itself, as ``python -m`` does.
CASINO = str(Path(sys.executable).with_name("casino"))

#: Flags with which Python leaves the current folder out.
SAFE = {"-P", "-I"}


@pytest.fixture(autouse=True)
def _students_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bots", "dealer", "protocol", "random", "multiprocessing"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a file of the student was imported')\n")
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {tmp_path / 'cache'}\n")  # whose files numba unpickles
    monkeypatch.chdir(tmp_path)


def starts_of_python(tree: ast.AST) -> Iterator[list[ast.expr]]:
    """The words of each command that begins with our own interpreter."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple):
            named = [ast.unparse(word) in ("sys.executable", "_python()") for word in node.elts]
            if any(named):
                yield node.elts[named.index(True) + 1 :]


def test_every_start_of_python_leaves_the_current_folder_out() -> None:
    starts = 0
    for path in [file for room in ("bots", "dealer", "protocol") for file in (ROOT / room).rglob("*.py")]:
        text = path.read_text()
        for words in starts_of_python(ast.parse(text)):
            starts += 1
            assert isinstance(words[0], ast.Constant), path
            assert words[0].value in SAFE, f"{path}: {ast.unparse(words[0])}"
        if any(start in text for start in ('get_context("spawn")', ".Nanny(", ".LocalCluster(")):
            assert "safe_path()" in text, path
    assert starts >= 6


def test_numba_is_imported_in_one_place() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ("bots", "dealer", "protocol")
        for path in (ROOT / room).rglob("*.py")
        if re.search(r"^\s*(from|import) numba\b", path.read_text(), re.MULTILINE)
    }
    assert found == {"protocol/games/kernels/compiling.py"}


async def test_chances_are_counted_beside_a_students_files() -> None:
    words = ("play", "stud", "--against", "caller", "--web", "--web-port", "0")
    async with start(command=[CASINO, *words], stdin=subprocess.DEVNULL) as running:
        address = await running.line_with("/play/")
        async with open_peer(int(address.rpartition(":")[2].partition("/")[0])) as peer:
            await peer.say("hello", token="")
            await peer.hear_turn()
            await peer.say("odds")
            assert 0 < (await peer.hear("state", lambda state: state["chances"]))["chances"]["share"] < 1


async def test_workers_simulate_beside_a_students_files() -> None:
    words = ("simulate", "holdem", "simple", "caller", "--deals", "20000", "--jobs", "2", "--json")
    async with start(command=[CASINO, *words], stdin=subprocess.DEVNULL) as running:
        outcome = await running.ended()
    assert (outcome.code, outcome.err) == (0, "")
    assert not Path("cache").exists()


async def test_compiled_games_take_no_settings_from_a_students_file() -> None:
    for words in ("round-robin dice caller dice-four --rounds 1k --json", "simulate blockhead balance alpha --json"):
        async with start(command=[CASINO, *words.split()], stdin=subprocess.DEVNULL) as running:
            outcome = await running.ended()
        assert outcome.code == 0, outcome.err
        # The first run compiles, and a busy machine may take so long for it that progress is told.
        assert all(line.endswith("% done") for line in outcome.err.splitlines()), outcome.err
        assert not Path("cache").exists(), words
