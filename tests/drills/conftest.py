"""Drills print their seed, which pytest shows where one has failed."""

import pytest

from tests.drills.plan import SEED, VARIABLE


@pytest.fixture(autouse=True)
def _print_seed() -> None:
    print(f"once more with the same chance: {VARIABLE}={SEED}")
