"""Programs in compiled languages, each compiled once a test run."""

import os
import subprocess
from pathlib import Path

import pytest

from bots.new_program import copy_starter
from tests.dealer.checker.checked import JAVA, needs
from tests.patience import PATIENCE

CI = bool(os.environ.get("CI"))


def compiled(folder: Path, *command: str) -> Path:
    """The folder, after a command in it."""
    subprocess.run(command, cwd=folder, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="session")
def bad_java(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("javac", CI)
    folder = tmp_path_factory.mktemp("bad_java")
    return compiled(folder, "javac", "-d", str(folder), *map(str, JAVA.glob("*.java")))


@pytest.fixture(scope="session")
def java_starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a compiled copy of the Java starter and its test."""
    needs("javac", CI)
    folder = tmp_path_factory.mktemp("java")
    copy_starter(folder, "java")
    return compiled(folder, "javac", "-encoding", "US-ASCII", "-Xlint:all", "-Werror", "Poker.java", "PokerTest.java")


@pytest.fixture(scope="session")
def cpp_starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("g++", CI)
    needs("make", CI)
    folder = tmp_path_factory.mktemp("cpp")
    copy_starter(folder, "cpp")
    return compiled(folder, "make", "CXXFLAGS=-std=c++11 -O1 -Wall -Wextra -Wpedantic -Werror", "poker")
