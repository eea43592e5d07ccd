"""The shell completes commands, flags, games and bots."""

import sys
from pathlib import Path
from typing import Literal

import pytest

from bots.strategy import bot_names
from dealer.cli.casino_app import build_app


def install(*words: str) -> int:
    code = build_app()(["--install-completion", *words], exit_on_error=False, result_action="return_value")
    assert isinstance(code, int)
    return code


@pytest.mark.parametrize(
    "words",
    [
        ["league", "stud", "tight"],
        ["simulate", "stud"],
        ["bot"],
        ["practice", "stud", "--against"],
        ["play", "stud", "--against"],
        ["round-robin", "dice"],
    ],
)
def test_names_of_bots_are_offered(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    build_app()(["__complete", *words, ""], result_action="return_value")
    assert {*bot_names()} <= {*capsys.readouterr().out.split()}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_name_commands_games_and_flags(shell: Literal["bash", "zsh", "fish"]) -> None:
    script = build_app().generate_completion(shell=shell)
    assert all(word in script for word in ("league", "holdem", "line-port", "round-robin"))


@pytest.mark.skipif(sys.platform == "win32", reason="the places are those of other systems")
def test_script_and_start_file_are_written_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert install("bash") == 0
    script = tmp_path / ".local/share/bash-completion/completions/casino"
    assert str(script) in (tmp_path / ".bashrc").read_text()
    assert capsys.readouterr().out == f"The completion for bash is in {script}. Open a new shell to use it.\n"


def test_place_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert install("bash", "--output", str(tmp_path / "file" / "casino")) == 2
    assert capsys.readouterr().err.startswith(f"casino: cannot write {tmp_path / 'file'}")
