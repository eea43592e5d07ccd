"""The starters as programs that can be run: copied, and compiled where that is needed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bots.new_program import copy_starter
from protocol.wire.codec import FIRST_GAME
from tests.patience import PATIENCE

STARTERS = Path(__file__).parents[2] / "bots" / "starters"


def build(name: str, folders: pytest.TempPathFactory, game: str = FIRST_GAME) -> list[str]:
    """The command that runs a starter: python, lines, java or cpp; skips the test if there is no compiler."""
    if name in {"python", "lines"}:
        source = STARTERS / "python" / ("" if game == FIRST_GAME else game)
        return [sys.executable, str(source / ("poker.py" if name == "python" else "poker_lines.py"))]
    folder = folders.mktemp(name)
    folder.chmod(0o755)  # so that it can also run in a sandbox
    copy_starter(folder, name, game)
    compilers = {"java": ["javac", "Poker.java"], "cpp": ["make", "CXXFLAGS=-std=c++11 -Wall -Wextra -Werror"]}
    compiler = compilers[name]
    if not (shutil.which(compiler[0]) and shutil.which("g++" if name == "cpp" else "java")):
        if os.environ.get("CI"):
            pytest.fail(f"CI must be able to compile {name}")
        pytest.skip(f"nothing is installed that compiles {name}")
    subprocess.run(compiler, cwd=folder, check=True, capture_output=True, timeout=PATIENCE)
    return (
        ["java", "-Dstdout.encoding=UTF-8", "-cp", str(folder), "Poker"] if name == "java" else [str(folder / "poker")]
    )
