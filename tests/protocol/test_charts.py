"""Charts as values, and the file that holds them."""

from base64 import b64encode
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from protocol.charts.chart import Axis, Chart, Series, thinned
from protocol.charts.html_file import policy


@given(st.lists(st.integers(), unique=True), st.integers(1, 50))
def test_few_points_with_both_ends(points: list[int], most: int) -> None:
    kept = thinned(points, most)
    assert len(kept) <= most + 1
    assert [point for point in points if point in set(kept)] == kept
    assert kept[:1] == points[:1]
    assert kept[-1:] == points[-1:]


def test_numbers_in_a_page_are_as_exact_as_they_are_told() -> None:
    series = Series("A", "red", range(2), [1 / 3, None], [0.25], [0.75])
    data = Chart("a", "A", "", "curves", Axis("hand"), Axis("chips", digits=1), [series]).data
    (one,) = data["series"]
    assert (one["at"], one["values"], one["low"], one["high"]) == ([0, 1], [0.3, None], [0.2], [0.8])


def test_browser_may_use_the_style_and_the_scripts_of_the_file_alone() -> None:
    allowed = policy("a {}", "b()", "c()")
    for text in ("a {}", "b()", "c()"):
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in allowed
    assert allowed.startswith("default-src 'none'; ")
    assert "unsafe" not in allowed
