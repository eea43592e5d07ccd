"""Percentiles of reply times, compared with sorting all of them."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.lobby.player import ReplyTimes

seconds = st.floats(1e-6, 3600.0)


@given(times=st.lists(seconds, min_size=1, max_size=200), share=st.sampled_from([0.0, 0.01, 0.5, 0.9, 0.99, 1.0]))
def test_quantile_is_accurate_to_2_percent(times: list[float], share: float) -> None:
    histogram = ReplyTimes()
    for time in times:
        histogram.add(time)
    exact = sorted(times)[max(ceil(share * len(times)), 1) - 1]
    assert histogram.quantile(share) == pytest.approx(exact, rel=0.02)
    assert histogram.count == len(times)


def test_a_clock_without_resolution_counts_as_a_microsecond() -> None:
    for time in (0.0, -1e-9, 1e-9):
        histogram = ReplyTimes()
        histogram.add(time)
        assert histogram.quantile(0.5) == pytest.approx(1e-6, rel=0.02)


def test_no_replies_have_no_quantile_and_many_take_no_memory() -> None:
    histogram = ReplyTimes()
    assert (histogram.quantile(0.5), histogram.count) == (None, 0)
    for number in range(100_000):
        histogram.add(0.001 + number * 1e-6)
    assert len(histogram._counts) < 300


@given(times=st.lists(st.floats(1e-6, 100), max_size=200))
def test_spread_counts_and_adds_all_replies(times: list[float]) -> None:
    replies = ReplyTimes()
    for seconds in times:
        replies.add(seconds)
    bounds = (0.001, 0.1, 1.0)
    counts, total = replies.spread(bounds)
    assert sum(counts) == len(times)
    assert total == pytest.approx(sum(times), rel=0.021)
    for number, bound in enumerate(bounds):
        within = sum(counts[: number + 1])
        assert sum(seconds < bound * 0.979 for seconds in times) <= within
        assert within <= sum(seconds < bound * 1.021 for seconds in times)
