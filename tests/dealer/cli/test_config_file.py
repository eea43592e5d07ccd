"""Flags from ``casino.toml``: which file counts, what the command line and the environment change, and mistakes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from cyclopts import CycloptsError

from dealer.main import build_app, read_file
from tests.docs.pages import blocks, page
from tests.end_to_end.casino import run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, beside a folder of the user's configuration."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "casino-day").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def given(*words: str) -> Mapping[str, Any]:
    """The arguments of a command line, with what the file says."""
    app = build_app()
    read_file(app)
    return app.parse_args(words, exit_on_error=False, print_error=False)[1].arguments


def refused(text: str, *words: str) -> str:
    """What the user is told of a file with this text."""
    Path("casino.toml").write_text(text)
    with pytest.raises(CycloptsError) as told:
        given(*(words or ("serve", "stud")))
    return str(told.value)


def test_file_of_the_folder_sets_flags(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "casino.toml").write_text(
        '[serve]\nseats = 6\njournal = "friday.journal"\ndesk = true\nline_port = 5001\n'
    )
    arguments = given("serve", "stud")
    assert (arguments["hosting"].seats, arguments["hosting"].line_port) == (6, 5001)
    assert arguments["tournament"].journal == Path("friday.journal")
    assert arguments["page"].desk
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "casino: casino.toml sets --seats, --journal, --desk, --line-port\n")


def test_command_line_comes_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "casino.toml").write_text('[serve]\ngame = "dice"\nseats = 6\nwait = 2.5\n')
    arguments = given("serve", "--seats", "3")
    assert (arguments["game"], arguments["hosting"].seats, arguments["hosting"].wait) == ("dice", 3, 2.5)
    assert capsys.readouterr().err == "casino: casino.toml sets --game, --wait\n"


def test_environment_comes_before_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "casino.toml").write_text('[play]\nsecret = "of the file"\n')
    assert given("play", "localhost", "4002")["guest"].secret == "of the file"
    monkeypatch.setenv("CASINO_SECRET", "of the environment")
    assert given("play", "localhost", "4002")["guest"].secret == "of the environment"
    assert given("play", "localhost", "4002", "--secret", "typed")["guest"].secret == "typed"


def test_file_of_the_user_counts_where_the_folder_has_none(folder: Path) -> None:
    (folder.parent / "config" / "casino-day" / "casino.toml").write_text("[serve]\nseats = 6\nport = 5000\n")
    assert given("serve", "stud")["hosting"].seats == 6
    (folder / "casino.toml").write_text("[serve]\nseats = 7\n")
    assert (given("serve", "stud")["hosting"].seats, given("serve", "stud")["hosting"].port) == (7, 4000)


def test_other_tables_change_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "casino.toml").write_text("[serve]\nseats = 6\n")
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


async def test_file_is_used_and_can_be_left_out(folder: Path) -> None:
    (folder / "casino.toml").write_text("[bots]\nqqq = 1\n")
    refused = await run("bots", "--json")
    assert (refused.code, "[bots] has no flag 'qqq'" in refused.err) == (2, True)
    assert [(await run(*words)).code for words in (("--no-config", "bots"), ("bots", "--no-config"))] == [0, 0]


def test_example_of_the_documentation_is_a_file(folder: Path) -> None:
    ((_, text),) = (block for block in blocks(page("dealer/docs/commands.md")) if block[0] == "toml")
    (folder / "casino.toml").write_text(text)
    assert given("serve", "stud")["page"].desk
    assert given("league", "stud")["tournament"].seed == "monday"
