"""Programs in Java."""

from pathlib import Path

import pytest

from tests.compiled import compiled_once, needs
from tests.dealer.checker.checked import JAVA


@pytest.fixture
def bad_java(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("javac", "java")
    command = ["javac", "-d", ".", *map(str, JAVA.glob("*.java"))]
    return compiled_once(tmp_path_factory, "bad_java", lambda _folder: None, command)
