"""Names that were probably meant."""

import pytest

from protocol.suggestions import instead, nearest

NAMES = ("caller", "pair-or-fold", "tight")


@pytest.mark.parametrize(("typed", "meant"), [("tigth", "tight"), ("CALLER", "caller"), ("pairorfold", "pair-or-fold")])
def test_name_that_is_like_another(typed: str, meant: str) -> None:
    assert nearest(typed, NAMES) == meant
    assert instead(typed, NAMES) == f"did you mean {meant!r}?"


def test_name_that_is_like_none() -> None:
    assert nearest("xyz", NAMES) is None
    assert instead("xyz", NAMES) == "installed are caller, pair-or-fold, tight"
    assert instead("xyz", NAMES, "those that do:") == "those that do: caller, pair-or-fold, tight"
