"""Programs of tests that must be compiled: each once in a run, by the first worker whose test needs it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from bots.new_program import copy_starter
from protocol.wire.codec import FIRST_GAME
from tests.patience import PATIENCE

STARTERS = Path(__file__).parents[1] / "bots" / "starters"

#: What compiles a starter with all warnings as errors, by language. The first words must be installed.
COMPILERS = {
    "java": ["javac", "-encoding", "US-ASCII", "-Xlint:all", "-Werror", "Poker.java", "PokerTest.java"],
    "cpp": ["make", "CXXFLAGS=-std=c++11 -O1 -Wall -Wextra -Wpedantic -Werror", "poker"],
}


def needs(*commands: str) -> None:
    """Skip the test where one of these commands is not installed; fail in CI, where all must be there."""
    missing = [command for command in commands if shutil.which(command) is None]
    if missing and os.environ.get("CI"):
        pytest.fail(f"CI must have {missing[0]}: it is not installed")
    if missing:
        pytest.skip(f"{missing[0]} is not installed")


def compiled_once(
    folders: pytest.TempPathFactory, name: str, fill: Callable[[Path], object], command: list[str]
) -> Path:
    """The folder of that name, which all workers share, after a command in it.

    Args:
        folders: of this worker.
        name: of the folder.
        fill: puts the sources into a new folder.
        command: compiles them.
    """
    own = folders.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with FileLock(shared / f"{name}.lock"):
        if not (shared / name).exists():
            folder = folders.mktemp(name)
            folder.chmod(0o755)  # so that it can also run in a sandbox
            fill(folder)
            subprocess.run(command, cwd=folder, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
            folder.rename(shared / name)
    return shared / name


def compiled_starter(folders: pytest.TempPathFactory, language: str, game: str = FIRST_GAME) -> Path:
    """A folder as ``casino new`` makes it, with the starter compiled."""
    needs(COMPILERS[language][0], {"java": "java", "cpp": "g++"}[language])
    return compiled_once(
        folders, f"{language}-{game}", lambda folder: copy_starter(folder, language, game), COMPILERS[language]
    )


def starter_command(folders: pytest.TempPathFactory, name: str, game: str = FIRST_GAME) -> list[str]:
    """The command that runs a starter: python, lines, java or cpp."""
    if name in {"python", "lines"}:
        source = STARTERS / "python" / ("" if game == FIRST_GAME else game)
        return [sys.executable, str(source / ("poker.py" if name == "python" else "poker_lines.py"))]
    folder = compiled_starter(folders, name, game)
    if name == "cpp":
        return [str(folder / "poker")]
    return ["java", "-Dstdout.encoding=UTF-8", "-cp", str(folder), "Poker"]
