"""The host's panel in a real browser: hidden until the host asks for it, and every order confirmed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.browser import PHONE, Eyes, LinePlayer, line_with, open_eyes, started
from tests.end_to_end.casino import casino
from tests.end_to_end.hosted import PORTS

SERVE = ("serve", "stud", *PORTS, "--page-port", "0", "--limit", "60", "--no-journal", "--hands", "1000", "--fast")


@dataclass
class Desk:
    """A hosted tournament with a desk, and a browser."""

    eyes: Eyes
    token: str
    line_port: int


@contextmanager
def hosted(browser: Browser, *words: str) -> Iterator[Desk]:
    """A tournament whose lobby is open."""
    with started(casino(*SERVE, *words)) as process:
        token = line_with(process, "desk token").split()[-1] if "--desk" in words else ""
        line_port = int(line_with(process, "lines of text").rstrip(")\n").split()[-1])
        with open_eyes(browser, line_with(process, "For browsers").split()[-1]) as eyes:
            yield Desk(eyes, token, line_port)


def unlock(page: Page, token: str) -> None:
    """Ask for the panel, and give a token."""
    page.get_by_role("button", name="Host", exact=True).click()
    page.get_by_label("Token from the dealer's terminal").fill(token)
    page.get_by_role("button", name="Unlock").click()


def confirm(page: Page, yes: str) -> None:
    """Agree to what the dialog asks."""
    page.get_by_role("dialog").get_by_role("button", name=yes, exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_without_a_desk_there_is_nothing_to_press(browser: Browser) -> None:
    with hosted(browser, "--wait", "1000") as host:
        page = host.eyes.open()
        expect(page.locator("#lobby")).to_be_visible()
        expect(page.get_by_role("button", name="Host", exact=True)).to_have_count(0)
        expect(page.locator("#desk button")).to_have_count(0)


def test_the_host_runs_a_tournament_from_the_page(browser: Browser) -> None:
    with hosted(browser, "--desk") as host:
        page = host.eyes.open()
        expect(page.locator("#desk")).to_be_hidden()
        assert host.token not in page.content()
        unlock(page, "wrong")
        answer = page.locator("#desk-answer")
        expect(answer).to_have_text("this is not the token that the dealer's terminal shows")
        expect(page.locator("#desk-panel")).to_be_hidden()
        page.get_by_label("Token from the dealer's terminal").fill(host.token)
        page.keyboard.press("Enter")
        expect(page.locator("#desk-panel")).to_be_visible()
        players = [LinePlayer(host.line_port, f"student-{name}:{name}") for name in ("Amit", "Brian", "Carlos")]
        page.get_by_role("button", name="Refresh").click()
        expect(page.locator("#desk-players li")).to_have_count(3)
        expect(page.locator("#desk-players")).not_to_contain_text("student-")  # the class may see this screen
        page.get_by_label("Show ids").check()
        expect(page.locator("#desk-players")).to_contain_text("student-Amit")
        page.get_by_label("Show ids").uncheck()

        page.get_by_role("button", name="Start", exact=True).click()
        page.keyboard.press("Escape")  # a question that is not answered changes nothing
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.get_by_role("button", name="Start", exact=True).click()
        confirm(page, "Start")
        expect(answer).to_have_text("The tournament starts with 3 players.")

        page.get_by_role("button", name="Refresh").click()
        expect(page.get_by_role("button", name="Pause")).to_be_enabled()
        page.get_by_role("button", name="Pause").focus()
        page.keyboard.press("Enter")
        confirm(page, "Pause")
        expect(answer).to_have_text("Every table finishes its hand, and then waits.")
        expect(page.get_by_role("button", name="Pause")).to_be_disabled()

        page.locator("#desk-pace").focus()
        page.keyboard.press("End")
        confirm(page, "Change")
        expect(answer).to_have_text("A hand now takes at least 5 s.")

        page.get_by_role("button", name="Remove Brian").click()
        confirm_with = page.get_by_role("dialog").get_by_label("Reason")
        confirm_with.fill("the login is another's")
        confirm(page, "Remove")
        expect(answer).to_contain_text("Not done: the reason may not hold login")
        page.get_by_role("button", name="Remove Brian").click()
        confirm_with.fill("<b>plays twice</b>")
        confirm(page, "Remove")
        expect(answer).to_have_text("Brian is out after the hand under way at its table.")
        assert page.locator("#desk b").count() == 0

        page.get_by_role("button", name="End", exact=True).click()
        confirm(page, "End")
        expect(answer).to_have_text("Every table finishes its hand; then the standings follow.")
        for player in players:
            player.leave()


def test_the_token_is_in_this_tab_alone_and_can_be_forgotten(browser: Browser) -> None:
    with hosted(browser, "--desk") as host:
        page = host.eyes.open(PHONE, "light")
        unlock(page, host.token)
        expect(page.locator("#desk-panel")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert host.token not in page.content()
        assert host.token not in page.url
        assert page.evaluate("localStorage.length + document.cookie.length") == 0
        page.reload()
        expect(page.locator("#desk")).to_be_hidden()
        page.get_by_role("button", name="Host", exact=True).click()
        expect(page.locator("#desk-panel")).to_be_visible()
        page.get_by_role("button", name="Lock", exact=True).click()
        expect(page.locator("#desk-panel")).to_be_hidden()
        assert page.evaluate("sessionStorage.length") == 0
