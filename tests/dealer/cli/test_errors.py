"""The tree of errors and their exit codes, values of options, and numbers that no flag takes."""

import ast
from collections.abc import Iterator
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, get_args

import pytest
from cyclopts import CycloptsError, Token

from dealer import errors
from dealer.cli.casino_app import build_app
from dealer.cli.options import lan_addresses, seed_or_chance
from dealer.cli.output import report_errors
from dealer.errors import BAD_USAGE, FAILED, CasinoError, JournalError, LostRecordsError, OptionError, PortError

#: What httpx draws before a class at each depth of its tree of exceptions.
BULLETS = "*x+-"


def drawn(class_: type[CasinoError], depth: int = 0) -> Iterator[str]:
    """The lines of the tree under a class, in the order in which the dealer's subclasses are defined."""
    yield f"{'  ' * depth}{BULLETS[depth]} {class_.__name__} ({class_.exit_code})"
    for subclass in class_.__subclasses__():
        if subclass.__module__.startswith("dealer."):
            yield from drawn(subclass, depth + 1)


def test_docstring_draws_the_tree() -> None:
    assert errors.__doc__ is not None
    tree = [line for line in errors.__doc__.splitlines() if line.endswith(")") and line.lstrip()[:1] in BULLETS]
    assert tree == list(drawn(CasinoError))


def test_first_lines_name_the_exit_code() -> None:
    for class_ in vars(errors).values():
        if isinstance(class_, type) and issubclass(class_, CasinoError) and class_ is not CasinoError:
            assert f"(exit code {class_.exit_code})" in (class_.__doc__ or "").splitlines()[0], class_


def test_every_error_class_is_in_the_tree() -> None:
    found = {
        (path.stem, node.name)
        for path in Path(errors.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error")
    }
    assert found == {("errors", line.split()[1]) for line in drawn(CasinoError)}


async def fail(error: BaseException) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "code", "lines"),
    [
        (OptionError("no such flag"), BAD_USAGE, ["casino: no such flag"]),
        (PortError("port taken"), FAILED, ["casino: port taken"]),
        (LostRecordsError("disk full"), FAILED, ["casino: disk full"]),
        (
            BaseExceptionGroup("tasks", [ExceptionGroup("more", [JournalError("one")]), JournalError("two")]),
            FAILED,
            ["casino: one", "casino: two"],
        ),
    ],
    ids=["option", "port", "lost", "group"],
)
async def test_errors_become_lines_and_exit_codes(
    error: Exception, code: int, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert await report_errors(fail(error)) == code
    assert capsys.readouterr().err.splitlines() == lines


async def test_our_own_mistakes_pass_through() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await report_errors(fail(ExceptionGroup("tasks", [ZeroDivisionError(), OptionError("no such flag")])))
    assert caught.group_contains(ZeroDivisionError)


async def test_exit_code_of_work_that_succeeds() -> None:
    async def work() -> int:
        return 7

    assert await report_errors(work()) == 7


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
