"""Leduc hold'em beside OpenSpiel's ``leduc_poker``: the same actors, legal actions and payoffs for the same cards."""

import pytest

from tests.contract.test_leduc_open_spiel import compare_hands


@pytest.mark.usefixtures("_leduc_on_path")
def test_ten_thousand_hands_as_open_spiel() -> None:
    compare_hands(10_000)
