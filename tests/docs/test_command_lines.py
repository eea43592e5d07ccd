"""Every ``casino`` command line in the documentation can be typed: its command, arguments and flags exist."""

import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from dealer.cli.casino_app import build_app
from tests.docs.pages import ROOT, all_pages, blocks


def command_lines(path: Path) -> Iterator[list[str]]:
    """The words of each ``casino`` command in the shell blocks of a page."""
    for kind, body in blocks(path.read_text(encoding="utf-8")):
        if kind != "sh":
            continue
        for line in body.replace("\\\n", " ").splitlines():
            for command in re.split(r"&&|;|\||\)$", line.split(" > ")[0]):
                words = shlex.split(command.strip(), comments=True)
                if words[:1] == ["casino"]:
                    yield words[1:]


#: A page whose commands need a package that is not installed here; its own test runs them.
ELSEWHERE = ROOT / "protocol/docs/adding-a-game.md"
PAGES = [path for path in all_pages() if list(command_lines(path)) and path != ELSEWHERE]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands_can_be_typed(path: Path) -> None:
    app = build_app()
    for words in command_lines(path):
        app.parse_args(words, exit_on_error=False, print_error=False)


def test_pages_have_commands() -> None:
    assert len(PAGES) > 15


@pytest.mark.parametrize("path", all_pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_and_modules_in_commands_exist(path: Path) -> None:
    for kind, body in blocks(path.read_text(encoding="utf-8")):
        if kind == "sh":
            for name in re.findall(r"\btests/[\w/.]+", body):
                assert (ROOT / name).exists(), name
            for module in re.findall(r"python3? -m ((?:tests|bots)[\w.]+)", body):
                assert find_spec(module) is not None, module
