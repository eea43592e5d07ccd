"""The page about adding a game: its commands are run with the package, and its code is the package's own."""

import os
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import trio

from tests.docs.pages import ROOT, blocks, page
from tests.docs.shell import search_path
from tests.end_to_end.casino import ENVIRONMENT
from tests.end_to_end.forked import run_forked
from tests.patience import PATIENCE

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
