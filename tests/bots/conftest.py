"""Connections for tests of programs at a dealer's table."""

from collections.abc import Iterator

import pytest

from tests.bots.helpers import Ends, connected_pair


@pytest.fixture
def ends() -> Iterator[Ends]:
    with connected_pair() as ends:
        yield ends
