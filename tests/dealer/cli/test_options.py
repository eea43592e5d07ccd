"""Values of options: rosters, seeds and addresses."""

from ipaddress import IPv4Address
from pathlib import Path

import pytest

from dealer.cli.options import lan_addresses, read_roster, seed_or_chance
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
        (b"ada\nid,name\nbob@example.org\n", "line 3: 'bob@example.org' is not an id"),
        (b"ada;Ada\n", "line 1: 'ada;Ada' is not an id"),
        (b"x" * 40, "line 1: 'xxx"),
        (b"\xff\xfe\x00a\x00d", "cannot read the roster"),
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


def test_seed_is_given_or_random() -> None:
    assert seed_or_chance("casino day") == "casino day"
    assert seed_or_chance("") == ""
    first, second = seed_or_chance(None), seed_or_chance(None)
    assert first != second
    assert len(bytes.fromhex(first)) == 16


def test_addresses_are_ipv4_and_rarely_loopback() -> None:
    addresses = [IPv4Address(address) for address in lan_addresses()]
    assert addresses
    assert not any(address.is_loopback for address in addresses) or len(addresses) == 1
