"""A sample of the bench on a machine that stands still for a while."""

from itertools import chain, repeat

import pytest

from dealer.bench import measure
from dealer.errors import CasinoError


@pytest.mark.usefixtures("autojump_clock")
async def test_sample_without_a_decision_is_made_longer() -> None:
    counts = chain([7, 7, 7], repeat(9))
    sample = await measure._sample(lambda: next(counts), 0.7)
    assert sample.decisions_per_second > 0


@pytest.mark.usefixtures("autojump_clock")
async def test_bench_without_any_decision_ends_in_words() -> None:
    with pytest.raises(CasinoError, match=r"no decision was made in 7 s"):
        await measure._sample(lambda: 7, 0.7)
