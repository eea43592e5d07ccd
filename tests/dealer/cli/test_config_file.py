"""Flags from ``casino.toml``: which file counts, what the command line and the environment change, and mistakes."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from cyclopts import CycloptsError

from dealer.cli.casino_app import build_app, read_file
from tests.dealer.checker.checked import program
from tests.docs.pages import blocks, page
from tests.end_to_end.casino import ENVIRONMENT, run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, beside the user's configuration folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setitem(ENVIRONMENT, "XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "casino-day").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def own(folder: Path) -> Path:
    """The file in the user's configuration folder."""
    return folder.parent / "config" / "casino-day" / "casino.toml"


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


def test_named_file_stands_in_for_that_of_the_user(own: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text("[serve]\nseats = 6\nport = 5000\n")
    (folder / "casino.toml").write_text("[serve]\nseats = 7\n")
    hosting = given("serve", "stud", named=Path("casino.toml"))["hosting"]
    assert (hosting.seats, hosting.port) == (7, 4000)
    assert capsys.readouterr().err == "casino: casino.toml sets --seats\n"


def test_file_in_the_current_folder_is_not_read(own: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "casino.toml").write_text("no TOML")
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


async def test_file_is_used_and_can_be_left_out(own: Path) -> None:
    own.write_text("[bots]\nqqq = 1\n")
    refused = await run("bots", "--json")
    assert (refused.code, "[bots] has no flag 'qqq'" in refused.err) == (2, True)
    assert [(await run(*words)).code for words in (("--no-config", "bots"), ("bots", "--no-config"))] == [0, 0]


async def test_config_names_a_file(folder: Path) -> None:
    (folder / "mine.toml").write_text("[bots]\njson = true\n")
    by_flag = await run("bots", "--json")
    for words in ("--config", "mine.toml", "bots"), ("bots", "--config=mine.toml"):
        by_file = await run(*words)
        assert (by_file.code, by_file.out, by_file.err) == (0, by_flag.out, "casino: mine.toml sets --json\n")
    for wrong, told in {
        "bots --config": "Give --config FILE once",
        "bots --config mine.toml --no-config": "Give --config FILE once",
        "bots --config other.toml": "other.toml cannot be read: No such file",
        "bot tight localhost 4000 --config mine.toml": "casino bot takes no flags from a file",
    }.items():
        outcome = await run(*wrong.split())
        assert (outcome.code, told in outcome.err) == (2, True), outcome.err


async def test_file_in_the_folder_of_a_student_changes_no_check(folder: Path) -> None:
    (folder / "casino.toml").write_text(
        '[check]\npass = 0.0\nlimit = 0.001\njunit = "../results.xml"\n\n[league]\nbot-cmd = ["touch started"]\n'
    )
    results = folder.parent / "results.xml"
    results.write_text("of another student")
    outcome = await run("check", "stud", "--hands", "20", "--limit", "30", "--json", "--", *program("BetsTheTotal"))
    assert outcome.code == 1  # a program that breaks a rule does not pass, as `pass` in that file would have it
    assert 0 < json.loads(outcome.out)["points"] < 180
    assert outcome.complaint == ["casino: casino.toml in this folder is not read; --config casino.toml takes its flags"]
    for command in ("league", "stud", "tight"), ("serve", "stud"), ("resume", "friday.journal"):
        outcome = await run(*command)
        assert (outcome.code, "is not read" in outcome.err) == (2, True)
    assert results.read_text() == "of another student"
    assert [path.name for path in folder.iterdir()] == ["casino.toml"]
    listed, alone = await run("bots", "--json"), await run("bots", "--json", "--no-config")
    assert (listed.out, alone.complaint) == (alone.out, [])


def test_example_of_the_documentation_is_a_file(own: Path) -> None:
    ((_, text),) = (block for block in blocks(page("dealer/docs/commands.md")) if block[0] == "toml")
    own.write_text(text)
    assert given("serve", "stud")["page"].desk
    assert given("league", "stud")["tournament"].seed == "monday"
