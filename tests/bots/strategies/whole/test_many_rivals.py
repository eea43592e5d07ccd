"""The chances of the stud bot against brute force written another way: whole cards, dealt out and compared."""

from random import Random

import pytest

from tests.bots.strategies.test_stud_chances import computed, sampled, situation, tolerance


@pytest.mark.parametrize("seats", [3, 6, 17])
@pytest.mark.parametrize("street", [1, 2])
def test_many_rivals_against_a_sample(street: int, seats: int) -> None:
    rng = Random(f"chances {street} {seats}")
    for _ in range(4):
        given = situation(rng, street, seats, 0 if seats == 17 else 3)
        assert computed(given) == pytest.approx(sampled(given, rng, 20_000), abs=tolerance(seats)), given
