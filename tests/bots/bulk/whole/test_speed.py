"""The speed of bulk tournaments, compared with a plain C++ driver in the same run."""

import pytest

from tests.bots.bulk.speed import measure
from tests.compiled import needs


@pytest.mark.heavy
def test_bulk_tournaments_are_as_fast_as_plain_cpp() -> None:
    needs("g++")
    rates = measure(5, 2_000_000)
    assert rates["compiled AIs"] >= rates["plain C++ with rand()"]
