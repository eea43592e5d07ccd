"""Numbers in words: one of a thing is told as one."""

import pytest

from protocol.plurals import counted, plural, span


@pytest.mark.parametrize(("number", "words"), [(0, "0 chips"), (1, "1 chip"), (2, "2 chips"), (1200, "1200 chips")])
def test_number_in_words(number: int, words: str) -> None:
    assert plural(number, "chip") == words


@pytest.mark.parametrize(("number", "words"), [(0, "0 hands"), (1, "1 hand"), (2, "2 hands"), (1234, "1,234 hands")])
def test_number_with_thousands_separators(number: int, words: str) -> None:
    assert counted(number, "hand") == words


@pytest.mark.parametrize(("numbers", "words"), [(range(2, 18), "2 to 17"), (range(2, 4), "2 to 3"), (range(2, 3), "2")])
def test_numbers_in_a_row(numbers: range, words: str) -> None:
    assert span(numbers) == words
