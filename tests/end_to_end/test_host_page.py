"""The host's page in a real browser: the token once, then everything live, by mouse, by key and on a phone."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.browser import PHONE, Eyes, LinePlayer, line_with, open_eyes, photograph, started
from tests.end_to_end.casino import casino
from tests.end_to_end.hosted import PORTS

SERVE = ("serve", "stud", *PORTS, "--page-port", "0", "--limit", "60", "--no-journal", "--hands", "1000", "--fast")


@dataclass
class Host:
    """A hosted tournament with a desk, and a browser."""

    eyes: Eyes
    token: str
    line_port: int

    def enter(self, page: Page, token: str | None = None) -> None:
        """Give a token."""
        page.get_by_label("Token, which the dealer's terminal showed").fill(token or self.token)
        page.keyboard.press("Enter")


@contextmanager
def hosted(browser: Browser, *words: str) -> Iterator[Host]:
    """A tournament whose lobby is open."""
    with started(casino(*SERVE, *words)) as process:
        token = line_with(process, "desk token").split()[-1] if "--desk" in words else ""
        line_port = int(line_with(process, "lines of text").rstrip(")\n").split()[-1])
        with open_eyes(browser, line_with(process, "For browsers").split()[-1]) as eyes:
            yield Host(eyes, token, line_port)


def confirm(page: Page, yes: str) -> None:
    """Agree to what the dialog asks."""
    page.get_by_role("dialog").get_by_role("button", name=yes, exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_without_a_desk_there_is_no_host_page(browser: Browser) -> None:
    with hosted(browser, "--wait", "1000") as host:
        page = host.eyes.open()
        expect(page.locator("#lobby")).to_be_visible()
        answer = page.request.get(f"{host.eyes.url}host")
        assert answer.status == 404


def test_the_host_runs_a_tournament_from_the_page(browser: Browser) -> None:
    with hosted(browser, "--desk") as host:
        projector = host.eyes.open()
        expect(projector.get_by_role("button", name="Start", exact=True)).to_have_count(0)
        page = host.eyes.open((1280, 720), fragment="host")
        host.enter(page, "wrong")
        expect(page.locator("#login-answer")).to_have_text("this is not the token that the dealer's terminal shows")
        host.enter(page)
        expect(page.locator("#none")).to_have_text("Nobody is here yet.")
        expect(page.locator("#login")).to_be_hidden()
        players = [LinePlayer(host.line_port, f"student-{name}:{name}") for name in ("Amit", "Brian", "Carlos")]
        expect(page.locator("#players tr")).to_have_count(3)  # without a reload
        expect(page.locator("#players")).to_contain_text("student-Amit · 127.0.0.1:")

        page.get_by_role("button", name="Start", exact=True).click()
        page.keyboard.press("Escape")  # a question that is not answered changes nothing
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.get_by_role("button", name="Start", exact=True).click()
        confirm(page, "Start")
        answer = page.locator("#answer")
        expect(answer).to_have_text("The tournament starts with 3 players.")
        expect(page.locator("#phase")).to_have_text("Playing")
        photograph(page, "host")

        page.locator("#main").focus()
        page.keyboard.press("Space")
        expect(answer).to_have_text("Every table finishes its hand, and then waits.")
        expect(page.locator("#phase")).to_have_text("Paused")
        page.get_by_label("Search").fill("b")
        page.keyboard.type("rian +n?")  # keys are for the page, not for a field
        expect(page.locator("#none")).to_have_text("No player fits.")
        page.get_by_label("Search").fill("STUDENT-bR")
        expect(page.locator("#players tr")).to_have_count(1)
        expect(page.locator("#people-count")).to_have_text("1 of 3")

        page.get_by_role("button", name="Remove Brian").click()
        page.get_by_role("dialog").get_by_label("Reason").fill("the login is another's")
        confirm(page, "Remove")
        expect(answer).to_contain_text("Not done: the reason may not hold login")
        page.get_by_role("button", name="Remove Brian").click()
        page.get_by_role("dialog").get_by_label("Reason").fill("<b>plays twice</b>")
        confirm(page, "Remove")
        expect(answer).to_have_text("Brian is out after the hand under way at its table.")
        expect(page.locator("#players .state")).to_have_text("leaves after this hand")
        assert page.locator("#players b").count() == 0

        page.get_by_label("A show of").fill("3")
        page.get_by_role("button", name="Set", exact=True).click()
        expect(answer).to_have_text("The rest of the tournament takes about 3 min.")
        expect(page.locator("#tempo")).to_have_text(re.compile(r"A show, [0-3]\.\d min left"))

        page.get_by_role("button", name="End", exact=True).click()
        confirm(page, "End")
        expect(page.locator("#phase")).to_have_text("Ending after this hand")
        for player in players:
            player.leave()


def test_faults_and_refused_logins_come_with_their_bytes(browser: Browser) -> None:
    with hosted(browser, "--desk", "--lives", "2") as host:
        page = host.eyes.open(PHONE, "light", "host")
        host.enter(page)
        players = {name: LinePlayer(host.line_port, f"{name}-id:{name}") for name in ("Amit", "Brian")}
        stranger = LinePlayer(host.line_port, "Amit-id:<img src=x onerror=alert(1)>")
        expect(page.locator("#logins-list")).to_contain_text("Amit-id:<img src=x onerror=alert(1)>\\n")
        expect(page.locator("#logins-count")).to_have_text("1")
        page.get_by_role("button", name="Start", exact=True).click()
        confirm(page, "Start")
        expect(page.locator("#phase")).to_have_text("Playing")
        for player in players.values():
            player.say("bet:all")  # one of the two was asked, and the other speaks unasked
        expect(page.locator("#incidents-list")).to_contain_text("sent bet:all\\n")
        expect(page.locator("#players td.faults").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        photograph(page, "host-phone")
        stranger.leave()
        for player in players.values():
            player.leave()


def test_the_token_stays_in_no_place_and_the_cookie_can_be_given_back(browser: Browser) -> None:
    with hosted(browser, "--desk") as host:
        page = host.eyes.open(fragment="host")
        sent: list[str] = []
        page.on("request", lambda request: sent.append(json.dumps([request.url, request.headers])))
        host.enter(page)
        expect(page.locator("#cockpit")).to_be_visible()
        (cookie,) = page.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/host")
        assert page.evaluate("document.cookie.length + localStorage.length + sessionStorage.length") == 0
        assert host.token not in page.content() + page.url + "".join(sent) + cookie["value"]
        assert not any("referer" in request.lower() for request in sent)
        page.reload()
        expect(page.locator("#cockpit")).to_be_visible()  # the token is given once
        page.get_by_role("button", name="Lock", exact=True).click()
        expect(page.locator("#login")).to_be_visible()
        assert page.context.cookies() == []
        page.reload()
        expect(page.locator("#login")).to_be_visible()
