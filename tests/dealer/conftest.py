"""Clocks that jump over every wait, so that no test depends on the speed of the machine."""

import pytest
from trio.testing import MockClock


@pytest.fixture
def jumping_clock() -> MockClock:
    """For socket pairs, whose bytes arrive at once: time jumps as soon as every task waits."""
    return MockClock(autojump_threshold=0)


@pytest.fixture
def tcp_clock() -> MockClock:
    """For TCP, whose bytes may take a moment even on loopback: time jumps when nothing has come for 10 ms."""
    return MockClock(autojump_threshold=0.01)
