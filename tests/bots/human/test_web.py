"""The table in a real browser that can reach the server and nothing else."""

import asyncio
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest
from aiohttp.test_utils import TestClient, TestServer
from playwright.sync_api import Browser, Page, Route, WebSocket, sync_playwright

from bots.human import web_server as web
from tests.end_to_end.casino import ENVIRONMENT, casino
from tests.patience import PATIENCE

NO_NAMES = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@pytest.fixture
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("no chromium on the path, and in CI this test may not be left out")
        pytest.skip("no chromium on the path; install it to see a browser play")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[NO_NAMES])
        yield browser
        browser.close()


@contextmanager
def served(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of tables, and its address."""
    command = casino("play", "stud", "--web", "--web-port", "0", "--speed", "none", *words)
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            server.stdout.readline()
            yield server, server.stdout.readline().strip()
        finally:
            server.kill()


class Visitor:
    """A browser's page, all that was written to its terminal, and all that went wrong."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._url = url
        self._written = b""
        self.asked_for: list[str] = []
        self.errors: list[str] = []
        self.page: Page = browser.new_page(viewport={"width": 1200, "height": 800})
        self.page.route("**/*", self._only_the_server)
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(url)

    def _only_the_server(self, route: Route) -> None:
        self.asked_for.append(route.request.url)
        if route.request.url.startswith((self._url, "data:")):
            route.continue_()
        else:
            route.abort()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, data: bytes | str) -> None:
        self._written += data if isinstance(data, bytes) else data.encode()

    def press(self, key: str) -> None:
        """Press a key; what was written before is forgotten."""
        self._written = b""
        self.page.keyboard.press(key)

    def sees(self, text: str) -> None:
        """Wait until ``text`` has been written."""
        give_up = time.monotonic() + PATIENCE
        while text.encode() not in self._written:
            assert time.monotonic() < give_up, f"{text!r} was not written: {self._written[-2000:]!r}"
            self.page.wait_for_timeout(20)  # lets playwright hear the browser


@pytest.mark.slow
def test_a_hand_in_a_browser_without_any_other_network(browser: Browser) -> None:
    with served("--against", "caller", "--seed", "browser") as (server, url):
        visitor = Visitor(browser, url)
        visitor.sees("Your turn")
        visitor.press("F1")
        visitor.sees("best cards")
        visitor.press("+")
        visitor.sees("puts in 2")
        visitor.press("F4")
        visitor.sees("You bet 2.")
        visitor.sees("Your turn")
        visitor.press("F3")
        visitor.sees("Enter: the next hand.")
        assert visitor.errors == []
        assert [address for address in visitor.asked_for if not address.startswith((url, "data:"))] == []
        assert any(address.endswith(".ttf") for address in visitor.asked_for)
        server.send_signal(signal.SIGINT)
        assert server.communicate(timeout=PATIENCE)[1] == ""
        assert server.returncode == 0
        visitor.page.wait_for_selector("text=This table is closed.")


@pytest.mark.slow
def test_each_browser_has_its_own_table(browser: Browser) -> None:
    with served("--against", "caller") as (server, url):
        first, second = Visitor(browser, url), Visitor(browser, url)
        for visitor in (first, second):
            visitor.sees("Your turn")
        games = psutil.Process(server.pid).children(recursive=True)
        assert len(games) == 2
        first.page.close()
        assert len(_left_after_one_has_gone(games)) == 1
        second.press("F3")
        second.sees("You check.")
        server.send_signal(signal.SIGTERM)
        assert server.communicate(timeout=PATIENCE)[1] == ""
        assert not any(game.is_running() for game in games)


def test_limit_of_games_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "GAMES_AT_ONCE", 0)

    async def knock() -> tuple[int, str]:
        tables = web.Tables("false", 0)
        async with TestClient(TestServer(await tables._make_app())) as client:
            refusal = await client.get("/ws")
            return refusal.status, await refusal.text()

    assert asyncio.run(knock()) == (503, "0 games are being played, as many as there may be")


def _left_after_one_has_gone(games: list[psutil.Process]) -> list[psutil.Process]:
    """Wait until one of these processes has ended."""
    give_up = time.monotonic() + PATIENCE
    while len(left := [game for game in games if game.is_running()]) == len(games):
        assert time.monotonic() < give_up, "all games are still played"
        psutil.wait_procs(games, timeout=0.05)
    return left
