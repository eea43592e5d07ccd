"""A browser with several tabs, and with connections that it opened in advance and has not used."""

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import BrowserContext, expect, sync_playwright

from tests.end_to_end.browser import PATIENCE_MS, chromium, line_with, started
from tests.end_to_end.casino import casino
from tests.end_to_end.test_page import SERVE

TABS = 4

#: Milliseconds between two looks at the connections.
POLL_MS = 50

#: Opens a connection to the page's own server that no request uses.
CONNECT_IN_ADVANCE = """() => {
  const link = document.createElement("link");
  Object.assign(link, { rel: "preconnect", href: location.origin, crossOrigin: "anonymous" });
  document.head.append(link);
}"""


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[BrowserContext]:
    """A browser with a profile of its own: one without a profile opens no connections in advance."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path, executable_path=chromium(), ignore_default_args=["--disable-background-networking"]
        )
        context.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        yield context
        context.close()


def connections(dealer: psutil.Process, port: int) -> int:
    """Connections to the page that the dealer holds open."""
    return sum(one.laddr.port == port and bool(one.raddr) for one in dealer.net_connections("tcp"))


# It waits four times until the browser or the dealer gives unused connections up, which takes a minute.
@pytest.mark.heavy
def test_connections_that_tabs_do_not_use_are_closed_without_harm(profile: BrowserContext) -> None:
    with started(casino(*SERVE, "--seats", "2")) as process:
        url = line_with(process, "For browsers").split()[-1]
        dealer, port = psutil.Process(process.pid), int(url.rsplit(":", 1)[1].strip("/"))
        pages = [profile.new_page() for _ in range(TABS)]

        def wait_until_unused_are_closed() -> None:
            while connections(dealer, port) > TABS:  # one for the events of each
                pages[0].wait_for_timeout(POLL_MS)

        def connect_in_advance() -> None:
            while connections(dealer, port) == TABS:
                pages[0].evaluate(CONNECT_IN_ADVANCE)
                pages[0].wait_for_timeout(POLL_MS)

        for page in pages:
            page.goto(url)
            expect(page.locator(".port b")).to_be_visible()
        wait_until_unused_are_closed()
        connect_in_advance()
        wait_until_unused_are_closed()
        for page in pages:
            expect(page.locator("#link")).to_be_hidden()
            page.reload()
            expect(page.locator(".port b")).to_be_visible()
        wait_until_unused_are_closed()
        connect_in_advance()
        pages[0].reload()  # while one is ready
        expect(pages[0].locator(".port b")).to_be_visible()
        process.kill()
        assert process.stdout is not None
        assert "wrong port" not in process.stdout.read()
