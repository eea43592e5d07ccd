"""Flags from ``casino.toml``: which file counts, what the command line and the environment change, and mistakes."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from cyclopts import CycloptsError

from dealer.cli.casino_app import build_app, read_file
from tests.docs.pages import blocks, page

pytestmark = pytest.mark.usefixtures("here")


def given(*words: str, named: Path | None = None) -> Mapping[str, Any]:
    """The arguments of a command line, with what the file says."""
    app = build_app()
    read_file(app, [named] if named else [])
    return app.parse_args(words, exit_on_error=False, print_error=False)[1].arguments


def refused(text: str, *words: str) -> str:
    """What the user is told of a file with this text."""
    Path("casino.toml").write_text(text)
    with pytest.raises(CycloptsError) as told:
        given(*(words or ("serve", "stud")), named=Path("casino.toml"))
    return str(told.value)


def test_file_sets_flags(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text('[serve]\nseats = 6\njournal = "friday.journal"\ndesk = true\nline_port = 5001\n')
    arguments = given("serve", "stud")
    assert (arguments["hosting"].seats, arguments["hosting"].line_port) == (6, 5001)
    assert arguments["tournament"].journal == Path("friday.journal")
    assert arguments["page"].desk
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"casino: {own} sets --seats, --journal, --desk, --line-port\n")


def test_command_line_comes_first(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text('[serve]\ngame = "dice"\nseats = 6\nwait = 2.5\n')
    arguments = given("serve", "--seats", "3")
    assert (arguments["game"], arguments["hosting"].seats, arguments["hosting"].wait) == ("dice", 3, 2.5)
    assert capsys.readouterr().err == f"casino: {own} sets --game, --wait\n"


def test_environment_comes_before_the_file(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own.write_text('[play]\nsecret = "of the file"\n')
    assert given("play", "localhost", "4002")["guest"].secret == "of the file"
    monkeypatch.setenv("CASINO_SECRET", "of the environment")
    assert given("play", "localhost", "4002")["guest"].secret == "of the environment"
    assert given("play", "localhost", "4002", "--secret", "typed")["guest"].secret == "typed"


def test_named_file_stands_in_for_that_of_the_user(own: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text("[serve]\nseats = 6\nport = 5000\n")
    (here / "casino.toml").write_text("[serve]\nseats = 7\n")
    hosting = given("serve", "stud", named=Path("casino.toml"))["hosting"]
    assert (hosting.seats, hosting.port) == (7, 4000)
    assert capsys.readouterr().err == "casino: casino.toml sets --seats\n"


def test_file_in_the_current_folder_is_not_read(own: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "casino.toml").write_text("no TOML")
    own.write_text("[check]\nhands = 50\n")
    told = ""
    for command in ("check", "stud"), ("practice", "stud"), ("verify", "a"), ("bots",), ("simulate", "stud", "tight"):
        given(*command)
        told += "casino: casino.toml in this folder is not read; --config casino.toml takes its flags\n"
        told += f"casino: {own} sets --hands\n" if "check" in command else ""
    given("bot", "tight", "localhost", "4000")  # takes no flags from a file, and leagues start many
    assert capsys.readouterr().err == told
    for command in ("serve", "stud"), ("league", "stud"), ("resume", "a"):
        with pytest.raises(CycloptsError, match=r"Add --config casino\.toml .* or --no-config"):
            given(*command)


def test_users_own_folder_can_be_the_current_one(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own.write_text("[serve]\nseats = 6\n")
    monkeypatch.chdir(own.parent)
    assert given("serve", "stud")["hosting"].seats == 6


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may enter every folder")
def test_folder_that_may_not_be_entered_has_no_file(own: Path) -> None:
    own.write_text("[check]\nhands = 50\n")
    own.parent.chmod(0)
    assert "flags" not in given("check", "stud")
    own.parent.chmod(0o700)


def test_other_tables_change_nothing(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text("[serve]\nseats = 6\n")
    given("league", "stud")
    given("bot", "tight", "localhost", "4000")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[serve]\nsetas = 6", "casino.toml: [serve] has no flag 'setas'; did you mean 'seats'?"),
        ("[serve]\nqqq = 6", "casino.toml: [serve] has no flag 'qqq'."),
        ("[sreve]\n", "casino.toml: there is no command [sreve] that takes flags from a file; did you mean 'serve'?"),
        ("[bot]\n", "casino.toml: there is no command [bot] that takes flags from a file; did you mean 'bots'?"),
        ("serve = 6", "casino.toml: serve stands outside of a table such as [serve]."),
        ("[serve]\nseats = 'six'", "casino.toml: seats has to be a whole number, got 'six'."),
        ("[serve]\nseats = 6.5", "casino.toml: seats has to be a whole number, got 6.5."),
        ("[serve]\nseats = true", "casino.toml: seats has to be a whole number, got True."),
        ("[serve]\nwait = 'long'", "casino.toml: wait has to be a number, got 'long'."),
        ("[serve]\ndesk = 'yes'", "casino.toml: desk has to be true or false, got 'yes'."),
        ("[serve]\nseed = 7", "casino.toml: seed has to be a text in quotes, got 7."),
        ("[league]\nbot-cmd = 'java Poker'", "casino.toml: bot-cmd has to be a list of texts, got 'java Poker'."),
        ("[serve]\nseats = 0", 'Invalid value "0" for [seats] provided by '),
        ("[serve]\nranks = 'pokr'", 'Did you mean "poker"?'),
        ("[serve", "casino.toml is no TOML: "),
    ],
)
def test_mistakes_are_told_with_file_and_key(text: str, told: str) -> None:
    heard = refused(text, "league" if "league" in text else "serve", "stud")
    assert told in heard
    assert "casino.toml" in heard


def test_example_of_the_documentation_is_a_file(own: Path) -> None:
    ((_, text),) = (block for block in blocks(page("dealer/docs/commands.md")) if block[0] == "toml")
    own.write_text(text)
    assert given("serve", "stud")["page"].desk
    assert given("league", "stud")["tournament"].seed == "monday"
