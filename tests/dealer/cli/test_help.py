"""The help of every command, what the shell completes, and one style of tables."""

import io
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import pytest
from cyclopts import App
from rich.console import Console

from dealer.cli import tables
from dealer.cli.casino_app import build_app
from dealer.cli.help import COMMAND_GROUPS, examples
from dealer.cli.tables import drawn
from protocol.installed_bots import bot_names
from tests.docs.make_reference import without_sections
from tests.docs.pages import ROOT

#: What is left of 80 columns beside the indent of an example.
WIDTH = 78


def commands(app: App, before: Sequence[str] = ()) -> Iterator[tuple[str, App]]:
    """Every command with the words that call it."""
    for name in app:
        if not name.startswith("-"):
            yield " ".join([*before, name]), app[name]
            yield from commands(app[name], [*before, name])


COMMANDS = dict(commands(build_app()))


def panels(app: App, words: Sequence[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The titles of the groups in the help of a command, in order."""
    app([*words, "--help"], result_action="return_value")
    lines = capsys.readouterr().out.splitlines()
    return [line.strip("╭─╮ ") for line in lines if line.startswith("╭")]


@pytest.mark.parametrize("name", COMMANDS)
def test_command_has_examples_that_can_be_typed(name: str) -> None:
    lines = examples(COMMANDS[name].help).splitlines()
    assert max(map(len, lines)) <= WIDTH
    typed = [shlex.split(line) for line in lines if not line.startswith("#")]
    assert typed
    for words in typed:
        assert words[: 1 + len(name.split())] == ["casino", *name.split()]
        build_app().parse_args(words[1:], exit_on_error=False, print_error=False)


def test_help_says_what_can_be_chosen_and_ends_with_the_examples(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    build_app()(["practice", "--help"], result_action="return_value")
    assert "What is played: dice, holdem, stud. [required]" in " ".join(capsys.readouterr().out.split())
    build_app()(["verify", "--help"], result_action="return_value")
    assert capsys.readouterr().out.endswith("\n\nExamples:\n  casino verify friday.journal\n")


def test_every_command_is_in_a_group_once() -> None:
    grouped = [name for names in COMMAND_GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(name for name in COMMANDS if " " not in name)


def test_groups_of_commands_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert panels(build_app(summaries=True), [], capsys) == [*(group.name for group in COMMAND_GROUPS), "Options"]


@pytest.mark.parametrize("name", ["serve", "league", "resume", "play", "check"])
def test_flags_of_large_commands_are_in_groups(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    titles = panels(build_app(), [name], capsys)
    assert titles[0] == "Parameters"
    assert len(titles) == len({*titles}) >= 2
    if name in ("serve", "resume"):
        assert titles[-1] == "Limits"


def test_sections_of_a_docstring() -> None:
    """The paragraphs before the sections, and the lines of the last one."""
    told = """Do it.

    More.

    Parameters
    ----------
    a
        B.

    Examples
    --------
    casino a
    """
    assert without_sections(told) == "Do it.\n\nMore."
    assert examples(told) == "casino a"
    assert examples("Do it.") == ""


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


def console(encoding: str = "utf-8", *, terminal: bool = False) -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding)
    return Console(file=file, width=80, force_terminal=terminal, color_system="standard" if terminal else None)


def test_title_of_a_table_is_text() -> None:
    table = tables.new_table("[Chips]")
    table.add_column("as wide as the title")
    with (to := console()).capture() as text:
        to.print(table)
    assert text.get().startswith("[Chips]")


def test_no_command_makes_tables_of_its_own() -> None:
    own = re.compile(r"from rich\.table import .*(?<!\w)Table\(", re.DOTALL)
    files = [path for room in ("dealer", "bots") for path in (ROOT / room).rglob("*.py")]
    makers = [path.relative_to(ROOT).as_posix() for path in files if own.search(path.read_text(encoding="utf-8"))]
    assert sorted(makers) == ["dealer/cli/tables.py"]


def test_verdicts_have_colours_in_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(terminal: bool) -> str:
        with (to := console(terminal=terminal)).capture() as text:
            to.print(tables.coloured("failed"))
        return text.get()

    assert "\x1b[31m" in shown(True)
    assert shown(False) == "failed\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31m" not in shown(True)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("bet2:299:QD:6H:up:10H:AS -> bet:0", "bet2:299:Q♦:6♥:up:10♥:A♠ -> bet:0"),
        ("hand 2S,3C", "hand 2♠,3♣"),
        ("the player AStar has 10S", "the player AStar has 10♠"),
        ("bet1:300:up", "bet1:300:up"),
    ],
)
def test_cards_of_messages_have_symbols(message: str, shown: str) -> None:
    assert drawn(message, console()).plain == shown
    assert drawn(message, console("ascii")).plain == message


def test_red_suits_are_red() -> None:
    with (to := console(terminal=True)).capture() as text:
        to.print(drawn("6H:6S", to))
    assert text.get() == "\x1b[31m6♥\x1b[0m:6♠\n"
