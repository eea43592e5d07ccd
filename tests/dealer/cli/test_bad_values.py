"""Values of options, and numbers that no flag takes."""

from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import Any, get_args

from cyclopts import CycloptsError, Token

from dealer.cli.casino_app import build_app
from dealer.cli.options import lan_addresses, seed_or_chance


def numbers() -> Iterator[tuple[str, Any]]:
    """Every flag and argument that is a number, of every command."""
    app = build_app()
    for name in (name for name in app if not name.startswith("-")):
        for argument in app[name].assemble_argument_collection():
            if argument.parse and {int, float} & {argument.hint, *get_args(argument.hint)}:
                yield f"{name} {argument.name}", argument


def test_every_number_refuses_what_is_none() -> None:
    taken, told = [], list(numbers())
    assert len(told) > 100
    for name, argument in told:
        for text in ("x", "", "nan", "inf", "-1"):
            argument.tokens.clear()
            argument.append(Token(keyword=argument.name, value=text, source="test"))
            try:
                argument.convert_and_validate()
            except CycloptsError:
                continue
            taken.append((name, text))
    assert taken == []


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
