"""The generated parts of the reference are those that the code gives."""

from collections.abc import Callable

import pytest

from tests.docs.make_reference import COMMAND, FILES, PARTS, with_part
from tests.docs.pages import page


@pytest.mark.parametrize(("name", "part", "make"), PARTS, ids=[f"{part} in {name}" for name, part, _ in PARTS])
def test_generated_part_is_current(name: str, part: str, make: Callable[[], str]) -> None:
    assert page(name) == with_part(page(name), part, make()), f"{name} is out of date; run: {COMMAND}"


@pytest.mark.parametrize(("name", "make"), FILES)
def test_generated_file_is_current(name: str, make: Callable[[], str]) -> None:
    assert page(name) == make(), f"{name} is out of date; run: {COMMAND}"
