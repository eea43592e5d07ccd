"""Values of options, and values and words that no flag takes: a sentence, an exit code, and never a traceback."""

from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import Any, get_args

import pytest
from cyclopts import CycloptsError, Token

from dealer.cli.casino_app import build_app
from dealer.cli.options import lan_addresses, seed_or_chance
from dealer.errors import BAD_USAGE, FAILED
from tests.end_to_end.casino import run


def numbers() -> Iterator[tuple[str, Any]]:
    """Every flag and argument that is a number, of every command."""
    app = build_app()
    for name in (name for name in app if not name.startswith("-")):
        for argument in app[name].assemble_argument_collection():
            if {int, float} & {argument.hint, *get_args(argument.hint)}:
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


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("league stud stdu tight", BAD_USAGE, "there is no bot 'stdu'; did you mean 'stud'?"),
        ("bot tight 127.0.0.1 0", BAD_USAGE, "for PORT"),
        ("play 127.0.0.1 0", BAD_USAGE, "for PORT"),
        ("collusion /nowhere", BAD_USAGE, "cannot read the checkpoint /nowhere: No such file or directory"),
        ("import /nowhere", BAD_USAGE, "cannot read /nowhere: No such file or directory"),
        ("worker nonsense", BAD_USAGE, "expected the address of a scheduler, tcp://HOST:PORT, got 'nonsense'"),
        ("replay /etc/passwd", FAILED, "/etc/passwd is no journal"),
        ("report /nowhere --out /nowhere/report", BAD_USAGE, "cannot read the journal /nowhere"),
        ("verify /nowhere", BAD_USAGE, "cannot read the journal /nowhere"),
        ("resume /nowhere", BAD_USAGE, "there is no journal /nowhere"),
    ],
)
async def test_words_that_cannot_be_used(words: str, code: int, said: str) -> None:
    outcome = await run(*words.split())
    assert outcome.code == code
    assert said in outcome.err


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
