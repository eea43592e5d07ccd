"""The page of the docs plays stud in a real browser; as a file it is refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.docs.pages import blocks, page, section
from tests.end_to_end.browser import PATIENCE_MS, line_with, started_casino
from tests.patience import PATIENCE

PORTS = ("--host", "127.0.0.1", "--port", "0", "--line-port", "0", "--ws-port", "0", "--page-port", "0")

FLAGS = ("--seats", "2", "--no-journal", "--fast", "--hands", "20", "--limit", "60", "--seed", "browser")


def bot(port: int, name: str) -> str:
    """The page of the docs, for this port and with this name."""
    text = section(page("bots/docs/write-a-bot.md"), "## In a browser")
    (html,) = (block for language, block in blocks(text) if language == "html")
    return html.replace("192.168.1.20:4003", f"127.0.0.1:{port}").replace("ada-1:Ada", f"{name}:{name}")


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address at which the files of a folder are served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def open_tab(browser: Browser) -> Iterator[Callable[[], Page]]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page
    context.close()


def test_page_of_the_docs_plays(open_tab: Callable[[], Page], tmp_path: Path) -> None:
    with started_casino("serve", "stud", *PORTS, *FLAGS) as process, serving(tmp_path) as address:
        port = int(line_with(process, "speak WebSocket").rstrip(")\n").split()[-1])
        projector = open_tab()
        projector.goto(line_with(process, "For browsers").split()[-1])
        expect(projector.locator("#ports")).to_contain_text(f"Programs that speak WebSocket: port {port}")
        expect(projector.locator("#lines")).to_contain_text(f'new WebSocket("ws://127.0.0.1:{port}")')

        for name in ("ada", "bob"):
            (tmp_path / f"{name}.html").write_text(bot(port, name))
        first, second = open_tab(), open_tab()
        first.goto((tmp_path / "ada.html").as_uri())  # has the origin null, as any page can
        expect(first.locator("#log")).to_contain_text("done:a page of an unknown place, such as a file, may not play")
        first.goto(f"{address}/ada.html")
        expect(first.locator("#log")).to_contain_text("login")
        second.goto(f"{address}/bob.html")
        for tab in (first, second):
            expect(tab.locator("#log")).to_contain_text("The connection has ended.")
            text = tab.locator("#log").inner_text()
            assert "done:the tournament is over; you are number " in text
            assert text.count("status:") == 20
            assert "bet1:" in text
        assert process.wait(PATIENCE) == 0
