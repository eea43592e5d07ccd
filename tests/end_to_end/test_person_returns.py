"""A person in a browser finds the old seat again: at a dealer that was killed and resumed, and in the next screen."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from bots.human.table_order import Order
from tests.end_to_end.browser import PHONE, line_with, open_eyes, started
from tests.end_to_end.casino import casino
from tests.end_to_end.hosted import held_ports
from tests.end_to_end.house_page import served_tables
from tests.end_to_end.test_play_page import DESK, play_a_hand
from tests.patience import PATIENCE

SERVE = ("serve", "stud", "--host", "127.0.0.1", "--people", "5", "--seats", "2", "--hands", "2", "--limit", "300")


def sit_down(page: Page, name: str = "") -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down", exact=True).click()


def play_out(*pages: Page) -> None:
    while not all(page.locator("#end").is_visible() for page in pages):
        for page in pages:
            if page.locator("#fold").is_visible():
                page.keyboard.press("c")
            page.wait_for_timeout(20)  # lets playwright hear the browser


def test_dealer_that_was_killed_and_resumed_gives_people_their_seats(browser: Browser, tmp_path: Path) -> None:
    journal = str(tmp_path / "friday.journal")
    with held_ports("--port", "--line-port", "--page-port", "--people-port") as ports:
        with started(casino(*SERVE, *ports, "--fast", "--journal", journal)) as dealer:
            url = line_with(dealer, "For browsers").split()[-1]
            with open_eyes(browser, url) as eyes:
                phone, desk = eyes.open(PHONE, fragment="play"), eyes.open(DESK, fragment="play")
                sit_down(phone, "Ada")
                expect(phone.locator("#here li")).to_have_text("Ada (you)")
                phone.locator("#here").click()
                expect(phone.locator("#here")).to_be_visible()
                sit_down(desk)
                for page in (phone, desk):
                    expect(page.locator("#prompt")).to_have_text(re.compile("Your turn|with your first turn"))
                nameless = desk.locator("#facts dd").last.inner_text()
                dealer.kill()
                dealer.wait()
                with started(casino("resume", journal)) as resumed:
                    line_with(resumed, "expected back")
                    # The tab that had the seat knows the name.
                    expect(phone.get_by_label("Your name")).to_have_value("Ada")
                    expect(phone.locator("#return")).to_be_hidden()
                    phone.get_by_role("button", name="Sit down", exact=True).click()
                    # A new tab of the same browser knows who was here.
                    desk.close()
                    desk = eyes.open_beside(desk, "play")
                    desk.get_by_role("button", name=f"Back to the seat of {nameless}").click()
                    play_out(phone, desk)
                    for page in (phone, desk):
                        expect(page.locator("#end-words")).to_contain_text("hands")
                    assert resumed.wait(PATIENCE) == 0


def test_person_who_left_sits_down_as_the_same_player_or_as_another(browser: Browser) -> None:
    words = ("--people-port", "0", "--page-port", "0", "--port", "0", "--line-port", "0", "--no-journal")
    with started(casino(*SERVE, *words)) as dealer:
        url = line_with(dealer, "For browsers").split()[-1]
        with open_eyes(browser, url) as eyes:
            page = eyes.open(DESK, fragment="play")
            sit_down(page, "Ada")
            first = line_with(dealer, "+ Ada").split()[-1]
            for name, same in (("Ada", True), ("Grace", False)):
                expect(page.locator("#prompt")).to_contain_text("You have a seat")
                page.get_by_role("button", name="Leave", exact=True).click()
                page.locator("#leave-page").get_by_role("button", name="Leave").click()
                page.get_by_role("button", name="Sit down again").click()
                sit_down(page, name)
                assert (line_with(dealer, f"+ {name}").split()[-1] == first) is same


def test_seat_taken_over_by_another_tab_is_taken_once(browser: Browser) -> None:
    words = ("--people-port", "0", "--page-port", "0", "--port", "0", "--line-port", "0", "--no-journal")
    with started(casino(*SERVE, *words)) as dealer:
        url = line_with(dealer, "For browsers").split()[-1]
        with open_eyes(browser, url) as eyes:
            old = eyes.open(DESK, fragment="play")
            sit_down(old, "Ada")
            expect(old.locator("#prompt")).to_contain_text("You have a seat")
            page = eyes.open_beside(old, "play")
            page.get_by_role("button", name="Back to the seat of Ada").click()
            expect(old.locator("#link")).to_contain_text("open in another tab")
            page.get_by_role("button", name="Leave", exact=True).click()
            page.locator("#leave-page").get_by_role("button", name="Leave").click()
            page.get_by_role("button", name="Sit down again").click()
            sit_down(page, "Grace")
            line_with(dealer, "+ Grace")


def test_another_table_can_be_chosen_after_a_game(browser: Browser) -> None:
    tables = (Order("stud", "page", ("caller",), speed="none", hands=1),)
    with served_tables(tables) as url, open_eyes(browser, url) as eyes:
        page = eyes.open(DESK, fragment="stud/")
        play_a_hand(page)
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Another table").click()
        expect(page.get_by_role("button", name="Sit down")).to_be_visible()
