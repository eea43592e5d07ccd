"""Numbers of things in words."""

import pytest

from dealer.cli.counted import counted


@pytest.mark.parametrize(("number", "words"), [(0, "0 hands"), (1, "1 hand"), (2, "2 hands"), (1234, "1,234 hands")])
def test_things_are_counted_in_words(number: int, words: str) -> None:
    assert counted(number, "hand") == words
