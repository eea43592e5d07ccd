"""A browser for the tests that look at the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.end_to_end.browser import PATIENCE_MS, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a file, since its start takes longer than most of them."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium())
        expect.set_options(timeout=PATIENCE_MS)
        yield opened
        opened.close()
