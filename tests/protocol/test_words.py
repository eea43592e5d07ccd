"""Numbers in words, and names that were probably meant."""

import pytest

from protocol.plurals import counted, plural, span
from protocol.suggestions import instead, nearest


@pytest.mark.parametrize(("number", "words"), [(0, "0 chips"), (1, "1 chip"), (2, "2 chips"), (1200, "1200 chips")])
def test_number_in_words(number: int, words: str) -> None:
    assert plural(number, "chip") == words


@pytest.mark.parametrize(("number", "words"), [(0, "0 hands"), (1, "1 hand"), (2, "2 hands"), (1234, "1,234 hands")])
def test_number_with_thousands_separators(number: int, words: str) -> None:
    assert counted(number, "hand") == words


@pytest.mark.parametrize(("numbers", "words"), [(range(2, 18), "2 to 17"), (range(2, 4), "2 to 3"), (range(2, 3), "2")])
def test_numbers_in_a_row(numbers: range, words: str) -> None:
    assert span(numbers) == words


NAMES = ("caller", "pair-or-fold", "tight")


@pytest.mark.parametrize(("typed", "meant"), [("tigth", "tight"), ("CALLER", "caller"), ("pairorfold", "pair-or-fold")])
def test_name_that_is_like_another(typed: str, meant: str) -> None:
    assert nearest(typed, NAMES) == meant
    assert instead(typed, NAMES) == f"did you mean {meant!r}?"


def test_name_that_is_like_none() -> None:
    assert nearest("xyz", NAMES) is None
    assert instead("xyz", NAMES) == "installed are caller, pair-or-fold, tight"
    assert instead("xyz", NAMES, "those that do:") == "those that do: caller, pair-or-fold, tight"
