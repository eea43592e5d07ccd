"""The figures of the page with 200 real players, as a show has them, are as wanted."""

import pytest
from playwright.sync_api import Browser

from tests.end_to_end.reach.figures import measured


@pytest.mark.heavy
def test_page_reaches_its_figures_with_200_players(browser: Browser) -> None:
    figures = [*measured(browser, seconds=60, loads=20, clicks=100)]
    assert [str(figure) for figure in figures if not figure.reached] == []
