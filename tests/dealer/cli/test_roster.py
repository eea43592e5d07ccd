"""Rosters in the forms in which spreadsheets and course systems write them."""

from pathlib import Path

import pytest

from dealer.cli.roster import read_roster, roster_in_words
from dealer.errors import OptionError


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
