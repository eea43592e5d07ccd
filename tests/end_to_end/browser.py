"""A browser that reaches nothing but the dealer, and what is started for it to look at."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, ViewportSize

from tests.compiled import needs
from tests.end_to_end.casino import ENVIRONMENT
from tests.end_to_end.forked import ForkedBeside
from tests.patience import PATIENCE

PATIENCE_MS = 1000 * PATIENCE

Scheme = Literal["dark", "light"]

PROJECTOR, PHONE = (1920, 1080), (390, 844)

#: In place of the browser's sound: counts the notes that are played.
SILENT = """() => {
  globalThis.notes = 0;
  const node = () => ({ connect: (next) => next });
  const gain = () => ({ setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} });
  globalThis.AudioContext = class {
    currentTime = 0;
    resume() {}
    suspend() {}
    createGain = () => ({ ...node(), gain: gain() });
    createOscillator = () => ({ ...node(), frequency: {}, start: () => { globalThis.notes += 1; }, stop() {} });
  };
}"""


def chromium() -> str:
    """The browser of the system; without one the test is skipped, but not in CI."""
    needs("chromium")
    return shutil.which("chromium") or ""


@dataclass
class Eyes:
    """A browser whose pages reach one address only.

    Attributes:
        strayed: every request to anywhere else.
        troubles: errors and dialogs of pages.
    """

    browser: Browser
    url: str
    strayed: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    _contexts: list[BrowserContext] = field(default_factory=list)

    def open(self, size: tuple[int, int] = PROJECTOR, scheme: Scheme = "dark", fragment: str = "") -> Page:
        """A page of its own, as another person sees it."""
        viewport: ViewportSize = {"width": size[0], "height": size[1]}
        context = self.browser.new_context(viewport=viewport, color_scheme=scheme)
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.route("**/*", self._guard)
        return self._new_tab(context, fragment)

    def open_beside(self, page: Page, fragment: str = "") -> Page:
        """Another tab of the browser of a page."""
        return self._new_tab(page.context, fragment)

    def _new_tab(self, context: BrowserContext, fragment: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        page.goto(self.url + fragment)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def _guard(self, route: Route) -> None:
        if route.request.url.startswith(self.url):
            route.continue_()
        else:
            self.strayed.append(route.request.url)
            route.abort()


@contextmanager
def open_eyes(browser: Browser, url: str) -> Iterator[Eyes]:
    """Pages of one dealer; in the end, nothing was asked of anybody else, and no page had trouble."""
    eyes = Eyes(browser, url)
    yield eyes
    eyes.close()
    assert (eyes.strayed, eyes.troubles) == ([], [])


def photograph(page: Page, name: str) -> None:
    """Keep a picture, if CASINO_SCREENSHOTS names a folder for them."""
    if "CASINO_SCREENSHOTS" not in os.environ:
        return
    place = Path(os.environ["CASINO_SCREENSHOTS"])
    place.mkdir(parents=True, exist_ok=True)
    size = page.viewport_size
    assert size is not None
    page.screenshot(path=place / f"{name}-{size['width']}.png", full_page=size["width"] < 1000)


@contextmanager
def started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A process, killed if it still runs at the end of the block; its standard output is to be read."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def started_casino(*words: str | Path) -> Iterator[ForkedBeside]:
    """A forked ``casino``, killed if it still runs at the end of the block; its standard output is to be read."""
    process = ForkedBeside([*map(str, words)], ENVIRONMENT)
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)
        process.close()


def line_with(process: subprocess.Popen[str] | ForkedBeside, text: str) -> str:
    """Read until a line holds ``text``."""
    assert process.stdout is not None
    for line in process.stdout:
        if text in line:
            return line
    pytest.fail(f"the process ended without {text!r}")


class LinePlayer:
    """A program whose moves the test makes, by lines of text."""

    def __init__(self, port: int, login: str) -> None:
        self._sock = socket.create_connection(("127.0.0.1", port))
        self._lines = self._sock.makefile(encoding="utf-8")
        assert self.hear() == "login"
        self.say(login)

    def hear(self) -> str:
        """The next line; empty when the dealer has hung up."""
        return self._lines.readline().rstrip("\n")

    def say(self, text: str) -> None:
        self._sock.sendall(f"{text}\n".encode())

    def wait_for_turn(self) -> None:
        while not self.hear().startswith("bet"):
            pass

    def fileno(self) -> int:
        """The descriptor of its socket, for ``select``."""
        return self._sock.fileno()

    def leave(self) -> None:
        self._lines.close()
        self._sock.close()


@contextmanager
def line_players(port: int, *logins: str) -> Iterator[list[LinePlayer]]:
    """Programs whose moves the test makes, by their logins."""
    players: list[LinePlayer] = []
    try:
        players += [LinePlayer(port, login) for login in logins]
        yield players
    finally:
        for player in players:
            player.leave()


#: Rules of WCAG 2.2, levels A and AA, and what else axe-core takes for good practice.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

RUN = """async (tags) => {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
  const found = violations.map(({ id, help, nodes }) => ({
    id, help, nodes: nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`),
  }));
  return twice.length ? [...found, { id: "id", help: "Two elements have the same id.", nodes: twice }] : found;
}"""


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it is now, and ids that are there twice.

    Each with the elements and what to do.
    """
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(RUN, TAGS)
    return [f"{one['id']}: {one['help']}\n" + "\n".join(one["nodes"]) for one in found]


#: Every visible part of the table with its box, and the texts that do not fit into theirs.
MEASURE = """() => {
  const parts = [];
  const add = (owner, what, box) => {
    if (box.width && box.height) parts.push([owner, what, box.left, box.top, box.right, box.bottom]);
  };
  [...document.querySelectorAll("#seats .seat")].forEach((seat, index) => {
    for (const element of seat.querySelectorAll(".card, .plate, .did:not(:empty)"))
      add(`seat ${index}`, element.className, element.getBoundingClientRect());
  });
  for (const id of ["board-cards", "pot", "pots", "how"]) {
    const range = document.createRange();
    range.selectNodeContents(document.getElementById(id));
    for (const box of range.getClientRects()) add("middle", id, box);
  }
  const cut = [...document.querySelectorAll("#seats :is(.stack, .did, .button), #how, #pots, #skipped")]
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.textContent)
    .map((element) => element.textContent);
  const view = document.getElementById("table-view").getBoundingClientRect();
  const wide = document.documentElement.scrollWidth > innerWidth;
  return { parts, cut, view: [view.left, view.top, view.right, view.bottom], wide };
}"""


def overlaps(parts: Sequence[Sequence[Any]]) -> list[Sequence[str]]:
    """The parts of different owners that lie upon each other by more than a pixel."""
    found: list[Sequence[str]] = []
    for number, (owner, what, left, top, right, bottom) in enumerate(parts):
        for other, other_what, left2, top2, right2, bottom2 in parts[:number]:
            apart = min(right, right2) - max(left, left2) <= 1 or min(bottom, bottom2) - max(top, top2) <= 1
            if owner != other and not apart:
                found.append((owner, what, other, other_what))
    return found
