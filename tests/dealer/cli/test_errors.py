"""The tree of errors: drawn in its module, complete, and turned into exit codes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer import errors
from dealer.cli.output import report_errors
from dealer.errors import BAD_USAGE, FAILED, CasinoError, JournalError, LostRecordsError, OptionError, PortError

#: What httpx draws before a class at each depth of its tree of exceptions.
BULLETS = "*x+-"


def drawn(class_: type[CasinoError], depth: int = 0) -> Iterator[str]:
    """The lines of the tree under a class, in the order in which its subclasses are defined."""
    yield f"{'  ' * depth}{BULLETS[depth]} {class_.__name__} ({class_.exit_code})"
    for subclass in class_.__subclasses__():
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
