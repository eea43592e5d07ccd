"""The speed of bulk tournaments, compared with a plain C++ driver in the same run."""

import pytest

from tests.bots.bulk.authors import need_compiler
from tests.bots.bulk.speed import measure


@pytest.mark.heavy
def test_bulk_tournaments_are_as_fast_as_plain_cpp() -> None:
    pytest.importorskip("numba")
    need_compiler()
    rates = measure(5, 2_000_000)
    slow, fast = rates["plain C++ with rand()"], rates["plain C++ with a fast generator"]
    assert rates["compiled AIs"] >= slow
    assert rates["kernel"] >= 1.8 * slow
    assert rates["kernel"] >= 0.67 * fast
