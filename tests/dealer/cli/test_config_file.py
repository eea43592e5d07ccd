"""Files of the host: flags from ``casino.toml``, with their mistakes, and rosters in the forms of other programs."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from cyclopts import CycloptsError

from dealer.cli.casino_app import build_app, read_file
from dealer.cli.roster import read_roster, roster_in_words
from dealer.errors import OptionError
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
    assert (arguments["hosting"].seats, arguments["ports"].line_port) == (6, 5001)
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
    arguments = given("serve", "stud", named=Path("casino.toml"))
    assert arguments["hosting"].seats == 7
    assert "ports" not in arguments
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


@pytest.mark.parametrize(
    ("content", "roster"),
    [
        (b"ada\nbob\n", {"ada": "ada", "bob": "bob"}),
        (b"ada", {"ada": "ada"}),
        (b"\xef\xbb\xbfada\r\nbob\r\n", {"ada": "ada", "bob": "bob"}),
        (b"id,name\nada,Ada Lovelace\nbob,Bob\n", {"ada": "Ada Lovelace", "bob": "Bob"}),
        (b"\xef\xbb\xbfID,Name,Section\r\nada,Ada,1\r\n", {"ada": "Ada"}),
        (b'ada,"Lovelace, Ada"\n', {"ada": "Lovelace, Ada"}),
        ("kurt,Gödel\n".encode(), {"kurt": "Gödel"}),
        (b"\n  ada , Ada \n\n ,\nbob\n\n", {"ada": "Ada", "bob": "bob"}),
        (b"ada,\n", {"ada": ""}),
        (b"GitHubId,Name\nada,Ada Lovelace\n", {"ada": "Ada Lovelace"}),
        (b"GitHub username,Full name\nada,Ada Lovelace\n", {"ada": "Ada Lovelace"}),
        (b"Name,Section,GitHubId\nAda Lovelace,2,ada\n", {"ada": "Ada Lovelace"}),
        (b"GitHubId\nada\nbob\n", {"ada": "ada", "bob": "bob"}),
        (b"Student\nada\n", {"ada": "ada"}),
        (b"Name,Student\nAda,ada\n", {"ada": "Ada"}),
        (b"student,Student Zero\nbob,Bob\n", {"student": "Student Zero", "bob": "Bob"}),
        (b"First name,Surname,ID number,Email\nAda,Lovelace,ada,a@b.org\n", {"ada": "Ada Lovelace"}),
        (b"Surname,First name,ID number\nLovelace,Ada,ada\n", {"ada": "Ada Lovelace"}),
        (b"\n\nGitHubId,Name\nada,Ada\n", {"ada": "Ada"}),
        (b"Ada Lovelace,ada\nBob,bob\n", {"ada": "Ada Lovelace", "bob": "Bob"}),
        (b"id;name\r\nada;Lovelace, Ada\r\n", {"ada": "Lovelace, Ada"}),
        (b"Lovelace, Ada;ada\n", {"ada": "Lovelace, Ada"}),
        (b"ada;Ada\n", {"ada": "Ada"}),
        (b"id\tname\nada\tAda\n", {"ada": "Ada"}),
        ("id,name\nkurt,Gödel\n".encode("utf-16"), {"kurt": "Gödel"}),
        (b"\xfe\xff" + "id\tname\r\nkurt\tGödel\r\n".encode("utf-16-be"), {"kurt": "Gödel"}),
    ],
)
def test_roster_of_ids_with_or_without_names(content: bytes, roster: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "roster"
    path.write_bytes(content)
    assert read_roster(path) == roster


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "holds no id; write one on each line"),
        (b"id,name\n", "holds no id"),
        (b"\n\n", "holds no id"),
        (b"ada\nbob\nada\n", "line 3: the id 'ada' is listed twice"),
        (b"ada\nBob Smith,Bob\n", "line 2: 'Bob Smith' is not an id"),
        (b",Ada\n", "line 1: '' is not an id"),
        (b"ada\neve,Eve\nbob@example.org\n", "line 3: 'bob@example.org' is not an id"),
        (b"CS101\nGitHubId,Name\nada,Ada\n", "line 2: this is a heading, which has to be the first line; delete the"),
        (b"# Roster\n\nFull name,Id\nAda,ada\n", "line 3: this is a heading, which has to be the first line"),
        (b"Fall,Spring\nid,First,Last\nada,Ada,Lovelace\n", "line 2: this is a heading"),
        (b"ada|Ada\n", "line 1: 'ada|Ada' is not an id"),
        (b"k.steph,Steph\nbob,Bob\n", "line 1: 'k.steph' is not an id"),
        (b"Ada L,ada\nBob B,b.b\n", "line 1: 'Ada L' is not an id"),
        (b"name\nada\n", "line 1: the heading names no column of ids"),
        (b"name,section,email\nAda,1,a@b.org\n", "line 1: the heading names several columns of ids"),
        (b"ID,Name,GitHubId\n1,Ada,ada\n", "line 1: the heading names several columns of ids; call one"),
        ("id,name\nkurt,Gödel\n".encode("latin-1"), "byte 15 is no UTF-8 text; save it as text: in a spreadsheet"),
        ("ada\nbob\n".encode("utf-16-le"), "it holds zero bytes, as UTF-16 text does; save it as text"),
        (b"\xff\xfea", "byte 3 is no UTF-16 text"),
        (b"PK\x03\x04\x14\0", "it is a workbook; save it as text"),
        (b"x" * 40, "line 1: 'xxx"),
        (b"\xff\xfe\x00a\x00d", "is not an id"),
        (b"ada\0bob\n", "roster"),
        (b"\x89PNG\r\n\x1a\n\0\0", "cannot read the roster"),
        (b"x" * 200_000, "cannot read the roster"),
    ],
)
def test_unusable_roster_names_line_and_reason(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "roster"
    path.write_bytes(content)
    with pytest.raises(OptionError) as caught:
        read_roster(path)
    assert reason in str(caught.value)
    assert str(path) in str(caught.value)


def test_missing_roster_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(OptionError, match="cannot read the roster"):
            read_roster(path)


def test_roster_in_words_tells_how_the_file_was_understood() -> None:
    assert roster_in_words({"ada": "Ada Lovelace", "bob": "Bob"}) == "roster: 2 ids, the first is ada (Ada Lovelace)"
    assert roster_in_words({"ada": "ada"}) == "roster: 1 id, the first is ada"
