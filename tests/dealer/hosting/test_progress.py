"""The time left beside the progress bar: a show has a planned end, other tournaments an estimated one."""

import pytest
from rich.progress import Progress

from dealer.hosting.progress import TimeLeft


@pytest.mark.parametrize(
    ("show_left", "told"),
    [(600.0, "0:10:00"), (59.2, "0:01:00"), (3661.0, "1:01:01"), (-4.0, "0:00:00"), (None, "-:--:--")],
)
def test_time_left_is_that_of_the_show_if_there_is_one(show_left: float | None, told: str) -> None:
    progress = Progress()
    task = progress.add_task("hands", total=200, show_left=show_left)
    assert TimeLeft().render(progress.tasks[task]).plain == told
