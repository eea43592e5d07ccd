"""The figures of the page with 200 real players are as wanted.

In a show, the pace at which ``serve`` plays with a page, frames and long tasks are judged by the clock. At full speed
the dealer, its 200 players and the browser, which draws without a graphics processor here, want more than two cores
give. A task then lasts as long as it waits for a core, whatever the page does. So at full speed the page answers for
its own work: the processor time of its tasks. What the clock says is measured beside it and printed.
"""

import pytest
from playwright.sync_api import Browser

from tests.end_to_end.reach.figures import measured


@pytest.mark.heavy
def test_page_reaches_its_figures_with_200_players(browser: Browser) -> None:
    figures = [*measured(browser, seconds=60, loads=20, clicks=200)]
    for figure in figures:
        print(figure)
    assert "\n".join(str(figure) for figure in figures if not figure.reached) == ""
