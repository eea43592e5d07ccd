"""The page in a real browser that reaches nothing but the dealer: from the lobby to the podium, and what may fail."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from subprocess import Popen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.browser import (
    PHONE,
    PROJECTOR,
    Eyes,
    line_players,
    line_with,
    open_eyes,
    photograph,
    started_casino,
)
from tests.end_to_end.forked import ForkedBeside
from tests.end_to_end.hosted import PORTS

SERVE = ("serve", "stud", *PORTS, "--page-port", "0", "--limit", "60", "--no-journal", "--seed", "page", "--fast")
HOSTILE = ("<img src=x onerror=alert(1)>", "شطرنج الملك", "W" * 32)


@dataclass
class Hosted:
    """A hosted tournament and a browser."""

    process: ForkedBeside
    eyes: Eyes
    port: int
    line_port: int


@contextmanager
def hosted(browser: Browser, *words: str) -> Iterator[Hosted]:
    """A tournament whose lobby is open."""
    with started_casino(*SERVE, *words) as process:
        port = line_with(process, "address 127.0.0.1").split()[-1]
        line_port = line_with(process, "lines of text").rstrip(")\n").split()[-1]
        url = line_with(process, "For browsers").split()[-1]
        with open_eyes(browser, url) as eyes:
            yield Hosted(process, eyes, int(port), int(line_port))


def students(*avatars: str) -> Iterator[str]:
    """A login for each avatar."""
    return (f"student-{number}:{avatar}" for number, avatar in enumerate(avatars))


@contextmanager
def house_bots(port: int, *names: str) -> Iterator[None]:
    """Programs in processes of their own."""
    if not names:
        yield
        return
    name = ("--id", f"{names[0]}-bot", "--avatar", names[0].title())
    with started_casino("bot", names[0], "127.0.0.1", str(port), *name), house_bots(port, *names[1:]):
        yield


def names_in(page: Page, where: str) -> list[str]:
    return list(page.locator(f"{where} .name").all_text_contents())


def test_page_from_lobby_to_podium(browser: Browser) -> None:
    with hosted(browser, "--seats", "4", "--hands", "300") as host:
        page = host.eyes.open()
        expect(page.locator("#ports")).to_contain_text("127.0.0.1")
        expect(page.locator(".port b")).to_have_text(str(host.port))
        promise = page.locator("#promise").text_content()
        with house_bots(host.port, "tight", "caller", "maniac"):
            expect(page.locator("#here li")).to_have_count(3)
            photograph(page, "lobby")
            with house_bots(host.port, "random"):
                expect(page.locator("#podium-h")).to_be_visible()
                line_with(host.process, "seed ")
        expect(page.locator("#link")).to_have_text("The dealer has closed. This is how things stood.")
        assert host.process.wait() == 0
        expect(page.locator("#steps li")).to_have_count(3)
        assert set(names_in(page, "#rows")) == {"Tight", "Caller", "Maniac", "Random"}
        assert page.locator("#promised").text_content() == promise
        seed = page.locator("#seed").text_content() or ""
        assert sha256(bytes.fromhex(seed)).hexdigest() == promise
        photograph(page, "podium")


def test_avatars_are_shown_as_plain_text(browser: Browser) -> None:
    with hosted(browser, "--seats", "3", "--hands", "3") as host:
        page = host.eyes.open(PHONE)
        with line_players(host.line_port, *students(*HOSTILE)) as players:
            expect(page.locator("#leaders")).to_be_visible()
            expect(page.locator("#rows tr")).to_have_count(3)
            assert set(names_in(page, "#rows")) == set(HOSTILE)
            expect(page.locator("#seats li")).to_have_count(3)
            assert names_in(page, "#seats") == list(HOSTILE)
            assert page.locator("main img:not(#qr)").count() == 0
            assert "student-" not in page.content()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            photograph(page, "hostile")
            assert len(players) == 3


def test_a_reload_and_a_second_viewer_see_the_same(browser: Browser) -> None:
    with hosted(browser, "--seats", "2", "--hands", "3") as host:
        page = host.eyes.open()
        with line_players(host.line_port, *students("Amit", "Brian")):
            expect(page.locator("#seats li[data-state=turn]")).to_have_count(1)
            before = [page.locator(where).text_content() for where in ("#rows", "#seats", "#pot")]
            page.reload()
            expect(page.locator("#seats li[data-state=turn]")).to_have_count(1)
            other = host.eyes.open(PHONE, "light")
            expect(other.locator("#seats li[data-state=turn]")).to_have_count(1)
            for viewer in (page, other):
                assert [viewer.locator(where).text_content() for where in ("#rows", "#seats", "#pot")] == before
            expect(page.locator(".card.back")).to_have_count(2)
            expect(page.locator(".card:not(.back)")).to_have_count(2)


def test_who_is_out_is_told_in_words_and_read_aloud(browser: Browser) -> None:
    with hosted(browser, "--seats", "3", "--hands", "3") as host:
        page = host.eyes.open()
        with line_players(host.line_port, *students("Amit", "Brian", "Carlos")) as players:
            turn = page.locator("#seats li[data-state=turn] .name")
            expect(turn).to_have_count(1)
            name = turn.text_content()
            asked = players[["Amit", "Brian", "Carlos"].index(str(name))]
            asked.wait_for_turn()
            asked.say("bet:999")
            expect(page.locator("#out li").first).to_contain_text("you bet 999 but have only 499 chips")
            expect(page.locator("#said")).to_contain_text(f"{name} is out: you bet 999")
            expect(page.locator("#rows tr[data-state=out] .state")).to_have_text("out in hand 1, 1 fault")


#: Texts of a page that cover each other, in pairs; two pixels are the room between two letters.
COVERED = """() => {
  const box = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [text, whole] = [range, element].map((it) => it.getBoundingClientRect());
    return getComputedStyle(element).overflowX === "visible" ? text : whole;
  };
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const found = [];
  for (const [where, what] of [
    ["#rows tr", ".place b, .name, .state, .chips, .lately, .won"],
    ["#seats .seat", ".card, .name, .stack, .did"],
  ]) for (const group of document.querySelectorAll(where)) {
    const all = [...group.querySelectorAll(what)].filter((it) => it.offsetParent && it.textContent);
    all.forEach((one, index) => all.slice(index + 1).forEach((other) => {
      if (covers(box(one), box(other))) found.push(`${one.className} / ${other.className}`);
    }));
  }
  return found;
}"""


@pytest.mark.parametrize("count", [6, 24])
def test_long_avatars_cover_nothing(browser: Browser, count: int) -> None:
    """The longest avatars, of wide letters and of emoji, beside what is said of a player who is out."""
    avatars = [f"{number:02}{'W' * 30 if number % 2 else '🎲' * 15}" for number in range(count)]
    with hosted(browser, "--seats", str(count), "--hands", "3") as host:
        pages = [host.eyes.open(size) for size in ((1280, 720), PHONE)]
        with line_players(host.line_port, *students(*avatars)) as players:
            turn = pages[0].locator("#seats li[data-state=turn] .name")
            expect(turn).to_have_count(1)
            asked = players[avatars.index(str(turn.text_content()))]
            asked.wait_for_turn()
            asked.say("bet:999")
            for page in pages:
                expect(page.locator("#rows tr[data-state=out] .state")).to_have_text("out in hand 1, 1 fault")
                photograph(page, f"long-{count}")
                assert page.evaluate(COVERED) == []
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_page_reports_dead_dealer_and_reconnects(browser: Browser) -> None:
    with hosted(browser, "--seats", "2", "--hands", "3") as host:
        page = host.eyes.open()
        with line_players(host.line_port, *students("Amit", "Brian")):
            expect(page.locator("#rows tr")).to_have_count(2)
            host.process.kill()
            expect(page.locator("#link")).to_have_text("The dealer does not answer. Trying again …")
            assert sorted(names_in(page, "#rows")) == ["Amit", "Brian"]
            port = host.eyes.url.rsplit(":", 1)[1].strip("/")
            again = [
                word if word != "0" or SERVE[place - 1] != "--page-port" else port for place, word in enumerate(SERVE)
            ]
            with started_casino(*again, "--seats", "2") as process:
                line_with(process, "For browsers")
                expect(page.locator("#link")).to_be_hidden()
                expect(page.locator("#lobby")).to_be_visible()


@contextmanager
def many_tables(browser: Browser, players: int, size: int, pace: float) -> Iterator[Eyes]:
    """A tournament that goes on for ever, and a browser."""
    command = [sys.executable, "-m", "tests.end_to_end.crowd", str(players), str(size), str(pace)]
    with Popen(command, stdin=-1, stdout=-1, text=True) as process:  # PIPE
        assert process.stdout is not None
        try:
            with open_eyes(browser, f"http://127.0.0.1:{process.stdout.readline().strip()}/") as eyes:
                yield eyes
        finally:
            process.kill()


def test_the_table_is_chosen_by_keyboard_and_survives_a_reload(browser: Browser) -> None:
    with many_tables(browser, 10, 4, 0.5) as eyes:
        page = eyes.open()
        expect(page.locator("#table option")).to_have_count(4)
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        for _ in range(8):
            if page.evaluate("document.activeElement.id") == "table":
                break
            page.keyboard.press("Tab")
        expect(page.locator("#table")).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.locator("#table-h")).to_have_text("Table 1")
        page.reload()
        expect(page.locator("#table-h")).to_have_text("Table 1")
        expect(page.locator("#table")).to_have_value("1")


def test_the_theme_is_chosen_and_remembered(browser: Browser) -> None:
    with many_tables(browser, 2, 2, 0.5) as eyes:
        page = eyes.open(scheme="dark")
        expect(page.locator("#rows tr")).to_have_count(2)

        def ground() -> object:
            return page.evaluate("getComputedStyle(document.body).backgroundColor")

        dark = ground()
        page.locator("#theme").click()
        light = ground()
        assert dark != light
        page.reload()
        assert ground() == light


@pytest.mark.parametrize(("players", "size"), [(8, 8), (64, 8), (17, 17)])
def test_page_fits_on_projector_and_phone(browser: Browser, players: int, size: int) -> None:
    with many_tables(browser, players, size, 0.5) as eyes:
        for view in (PROJECTOR, PHONE):
            page = eyes.open(view)
            expect(page.locator("#plot polyline").first).to_be_attached()
            expect(page.locator("#seats li .plate").first).to_be_visible()
            for scheme in ("dark", "light"):
                page.emulate_media(color_scheme=scheme)
                photograph(page, f"{players}-players-{scheme}")
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
                if view == PROJECTOR:
                    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_the_picture_in_the_readme(browser: Browser) -> None:
    """``CASINO_SCREENSHOTS=FOLDER pytest -k picture`` makes ``readme-1280.png``, dealer/web/page.png."""
    with many_tables(browser, 5, 5, 0.03) as eyes:
        page = eyes.open((1280, 720))
        # A busy machine may not look before there are more than a hundred.
        expect(page.locator("#pulse dd").first).to_have_text(re.compile(r"^([3-9]\d|[\d,]{3,}) "))
        expect(page.locator("#how")).to_contain_text(re.compile("high|a pair|three"))
        photograph(page, "readme")
