"""Programs in compiled languages."""

from pathlib import Path

import pytest

from tests.compiled import compiled_once, compiled_starter, needs
from tests.dealer.checker.checked import JAVA


@pytest.fixture
def bad_java(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("javac", "java")
    command = ["javac", "-d", ".", *map(str, JAVA.glob("*.java"))]
    return compiled_once(tmp_path_factory, "bad_java", lambda _folder: None, command)


@pytest.fixture
def java_starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a compiled copy of the Java starter and its test."""
    return compiled_starter(tmp_path_factory, "java")


@pytest.fixture
def cpp_starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled_starter(tmp_path_factory, "cpp")
