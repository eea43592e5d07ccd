"""The page with 200 real players: its weight is as wanted, and all that depends on the machine is printed.

At full speed the dealer, its 200 players and the browser, which draws without a graphics processor here, want more than
two cores give. A task then lasts as long as it waits for a core, whatever the page does. So the figures beside the
clock's are those of the page's own work: the processor time of its tasks.
"""

import pytest
from playwright.sync_api import Browser

from tests.end_to_end.reach.figures import measured


@pytest.mark.heavy
def test_figures_of_the_page_with_200_players(browser: Browser) -> None:
    figures = [*measured(browser, seconds=60, loads=20, clicks=200)]
    for figure in figures:
        print(figure)
    assert all(figure.reached for figure in figures if figure.unit == "kB")
