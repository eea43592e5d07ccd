"""A person plays in a real browser: every game, on a desk and on a phone, and after a return to the seat."""

import re
import signal
import sys
from pathlib import Path
from threading import Thread

import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from bots.human.table_order import Order
from bots.human.web import computing
from tests.dealer.support.raw_records import read_raw
from tests.end_to_end.browser import PHONE, SILENT, LinePlayer, line_with, open_eyes, photograph, started_casino
from tests.end_to_end.hosted import PORTS, held_ports
from tests.end_to_end.told_page import served_tables
from tests.patience import PATIENCE

DESK = (1280, 720)

TABLES = (
    Order("stud", "page", ("caller",), speed="none", hands=2),
    Order("blockhead", "page", ("alpha",), speed="none", hands=2),
    Order("holdem", "page", ("caller",), 3, speed="none", hands=2),
    Order("dice", "page", ("dice-four",), speed="none", hands=2),
)


#: Whether the newest line of what happened is in sight.
LAST_LINE_IS_SEEN = """() => {
  const list = document.getElementById("history");
  return list.lastElementChild.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom + 1;
}"""


def play_a_hand(page: Page) -> None:
    """Press the key that checks or calls until the hand is over."""
    while True:
        expect(page.locator("#fold:visible, #next:visible").first).to_be_visible()
        if page.locator("#next").is_visible():
            return
        question = page.locator("#bets").get_attribute("data-question") or ""
        page.keyboard.press("c")
        expect(page.locator("#bets")).not_to_have_attribute("data-question", question)


def check_layout(page: Page) -> None:
    """Nothing is wider than the screen, and every control can be touched and has a name."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for button in page.locator("button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 35, button.inner_html()
        assert button.get_attribute("aria-label") or button.inner_text()


#: The process that computes what a person asks for, with a few deals for the coach: the page looks the same after all.
FEW_DEALS = """
from bots.human.coach import advice
from bots.human.web import computing

advice.MOST_DEALS = advice.LEAST_DEALS = 10
computing.main()
"""


@pytest.mark.long
def test_every_game_is_played_with_keys_and_by_touch(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computing, "_command", lambda task: [sys.executable, "-c", FEW_DEALS, task])
    with served_tables(TABLES) as url, open_eyes(browser, url) as eyes:
        for order, size, scheme in zip(TABLES, (DESK, PHONE, PHONE, DESK), ("dark", "light") * 2, strict=True):
            page = eyes.open(size, scheme, f"{order.game}/")  # type: ignore[arg-type]
            expect(page.locator("#prompt")).to_contain_text("Your turn")
            expect(page.locator("#said")).to_contain_text("Your turn")
            assert page.locator("#seats .mine .cards [aria-label]").count() >= 1
            check_layout(page)
            photograph(page, f"play-{order.game}")
            play_a_hand(page)
            expect(page.locator("#history")).to_contain_text(re.compile("You (check|call|bet)"))
            page.keyboard.press("w")
            expect(page.locator("#dearest li").first).to_be_visible()
            check_layout(page)
            photograph(page, f"play-{order.game}-review")
            page.keyboard.press("Escape")
            page.locator("#next").click()
            expect(page.locator("#prompt")).to_contain_text("Your turn")
            expect(page.locator("#calls")).to_be_visible(visible=order.game != "dice")  # which asks once in a hand
            if order.game != "dice":
                page.locator("#calls").click()
                expect(page.locator("#next, #again").first).to_be_visible()
                expect(page.locator("#history")).to_contain_text("You check and call to the end of this hand")
            page.get_by_role("button", name="Leave").click()
            page.locator("#leave-page").get_by_role("button", name="Leave").click()
            expect(page.locator("#end-words")).to_contain_text("You have left the table.")
            expect(page.locator("#end-dearest li").first).to_be_visible()
            photograph(page, f"play-{order.game}-end")
            page.close()


def test_bets_chances_reload_and_the_end_of_a_game(browser: Browser) -> None:
    with served_tables(TABLES[2:3]) as url, open_eyes(browser, url) as eyes:
        page = eyes.open(DESK, fragment="holdem/")
        expect(page.locator("#prompt")).to_contain_text("Your turn")
        page.keyboard.press("o")
        expect(page.locator("#odds")).to_contain_text("best cards")
        expect(page.locator("#raise")).to_have_text("Raise to 20")
        smallest = page.locator("#slider").get_attribute("aria-valuetext")
        page.keyboard.press("+")
        expect(page.locator("#slider")).not_to_have_attribute("aria-valuetext", smallest or "")
        page.keyboard.press("Home")
        expect(page.locator("#slider")).to_have_attribute("aria-valuetext", smallest or "")
        page.get_by_role("button", name="all in").click()
        expect(page.locator("#raise")).to_contain_text("All in")
        cards = page.locator("#seats .mine .cards").inner_html()
        page.reload()
        expect(page.locator("#prompt")).to_contain_text("Your turn")
        assert page.locator("#seats .mine .cards").inner_html() == cards
        expect(page.locator("#history li").first).to_contain_text("Hand 1")
        page.keyboard.press("h")
        expect(page.locator("#rules")).to_contain_text("Two cards in the hole")
        page.keyboard.press("Escape")
        page.keyboard.press("3")
        page.keyboard.press("r")
        expect(page.locator("#history")).to_contain_text("all in")
        expect(page.locator("#next, #again").first).to_be_attached()


def test_fold_for_nothing_asks_first(browser: Browser) -> None:
    with served_tables(TABLES[:1]) as url, open_eyes(browser, url) as eyes:
        page = eyes.open(DESK, fragment="stud/")
        expect(page.locator("#prompt")).to_contain_text("nothing to pay")
        page.keyboard.press("f")
        expect(page.locator("#fold-page")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#fold-page")).to_be_hidden()
        expect(page.locator("#prompt")).to_contain_text("nothing to pay")
        page.locator("#fold").click()
        page.keyboard.press("Enter")  # the button that does no harm has the focus
        expect(page.locator("#history")).to_contain_text("You check.")
        expect(page.locator("#prompt")).to_contain_text("nothing to pay")
        page.keyboard.press("f")
        page.locator("#fold-page").get_by_role("button", name="Fold").click()
        expect(page.locator("#history")).to_contain_text("You fold.")


#: In place of what a browser knows: whether the page was clicked or typed at.
UNUSED = """() => {
  globalThis.used = false;
  Object.defineProperty(Navigator.prototype, "userActivation", { get: () => ({ hasBeenActive: globalThis.used }) });
}"""


def test_turn_is_heard_and_seen_from_another_tab(browser: Browser) -> None:
    with served_tables(TABLES[:1]) as url, open_eyes(browser, url) as eyes:
        page = eyes.open(DESK)
        for script in (SILENT, UNUSED):
            page.add_init_script(f"({script})()")
        page.goto(f"{url}stud/")
        expect(page).to_have_title("\u25cf Your turn \u00b7 Casino Day")
        assert page.evaluate("notes") == 0  # a browser lets no page be heard before it was used
        page.evaluate("used = true")
        page.keyboard.press("c")
        expect(page.locator("#history")).to_contain_text("Street 2")
        expect(page.locator("#prompt")).to_contain_text("Your turn")
        assert page.evaluate("notes") == 2
        page.keyboard.press("s")
        play_a_hand(page)
        begin_the_next_hand(page)
        assert page.evaluate("notes") == 2
        page.reload()
        expect(page.locator("#prompt")).to_contain_text("Your turn")
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
        play_a_hand(page)
        expect(page).to_have_title("Play \u00b7 Casino Day")


def test_chances_and_coach_stay_on_the_screen_of_a_phone(browser: Browser) -> None:
    with (
        served_tables((Order("holdem", "page", ("caller",), 8, speed="none"),)) as url,
        open_eyes(browser, url) as eyes,
    ):
        page = eyes.open(PHONE, fragment="holdem/")
        expect(page.locator("#prompt")).to_contain_text("Your turn")
        bar = page.locator("#bets").bounding_box()
        cards = page.locator(".seat.mine .cards").bounding_box()
        assert bar is not None
        assert cards is not None
        assert cards["y"] + cards["height"] <= bar["y"]
        for button in ("#count", "#ask", "#calls", "#fold", "#presets"):
            expect(page.locator(button)).to_be_in_viewport(ratio=1)
        page.locator("#count").click()
        expect(page.locator("#odds dl")).to_be_in_viewport(ratio=1)
        page.set_viewport_size({"width": 1280, "height": 720})
        expect(page.locator("#side #odds dl")).to_be_visible()


def begin_the_next_hand(page: Page) -> None:
    """Press the button after a hand, and wait for the person's turn."""
    page.locator("#next").click()
    expect(page.locator("#prompt")).to_contain_text("Your turn")


#: The right end of the words of the title, and the left end of the buttons beside them.
TITLE_AND_BUTTONS = """() => {
  const heading = document.querySelector("h1"), words = document.createRange();
  words.selectNodeContents(heading);
  const ends = [...words.getClientRects()].map((box) => box.right);
  return [Math.max(...ends), document.getElementById("tools").getBoundingClientRect().left];
}"""


@pytest.mark.parametrize("width", [320, 360])
def test_the_buttons_cover_no_title_on_a_narrow_phone(browser: Browser, width: int) -> None:
    with served_tables(TABLES[:1]) as url, open_eyes(browser, url) as eyes:
        page = eyes.open((width, 640), fragment="stud/")
        expect(page.locator("#prompt")).to_contain_text("Your turn")
        check_layout(page)
        title_ends, buttons_begin = page.evaluate(TITLE_AND_BUTTONS)
        assert title_ends <= buttons_begin


def test_what_happened_follows_the_game_unless_the_person_scrolled_up(browser: Browser) -> None:
    order = Order("stud", "page", ("caller", "caller"), speed="none")
    with served_tables([order]) as url, open_eyes(browser, url) as eyes:
        page = eyes.open((1280, 1000), fragment="stud/")
        history = page.query_selector("#history")
        while not page.evaluate("history => history.scrollHeight > history.clientHeight", history):
            play_a_hand(page)
            begin_the_next_hand(page)
        page.set_viewport_size({"width": 1280, "height": 720})
        page.wait_for_function(LAST_LINE_IS_SEEN)
        play_a_hand(page)
        page.wait_for_function(LAST_LINE_IS_SEEN)
        page.locator("#history").hover()
        page.mouse.wheel(0, -10_000)
        page.wait_for_function("history => history.scrollTop === 0", arg=history)
        begin_the_next_hand(page)
        play_a_hand(page)
        assert page.evaluate("history => history.scrollTop", history) == 0


def test_people_at_a_dealers_table(browser: Browser) -> None:
    words = ("--people", "5", "--people-port", "0", "--page-port", "0", "--seats", "3", "--no-journal", "--fast")
    with started_casino("serve", "stud", *PORTS, *words, "--hands", "2", "--limit", "60", "--seed", "page") as process:
        line_port = int(line_with(process, "lines of text").split()[-1].rstrip(")"))
        url = line_with(process, "For browsers").split()[-1]
        assert line_with(process, "People play").split()[-1] == f"{url}play"
        with open_eyes(browser, url) as eyes:
            phone, desk = eyes.open(PHONE, "light", "play"), eyes.open(DESK, fragment="play")
            for page in (phone, desk):
                page.get_by_role("button", name="Sit down").click()
                expect(page.locator("#prompt")).to_contain_text("You have a seat")
            expect(phone.locator("#here li")).to_have_count(2)
            expect(phone.locator("#lobby-h")).to_have_text("Here: 2 of 3")
            check_layout(phone)
            photograph(phone, "play-dealer-lobby-phone")
            photograph(desk, "play-dealer-lobby")
            names = [page.locator("#facts dd").inner_text() for page in (phone, desk)]
            assert len({*names}) == 2
            program = LinePlayer(line_port, "program:Program")
            folding = Thread(target=_fold_to_the_end, args=(program,))
            folding.start()
            _play_out(phone, desk)
            folding.join()
            program.leave()
        assert process.wait(PATIENCE) == 0


def _fold_to_the_end(program: LinePlayer) -> None:
    while heard := program.hear():
        if heard.startswith("bet"):
            program.say("fold")


def _play_out(phone: Page, desk: Page) -> None:
    """Play both hands; the phone is reloaded at its first turn, and keeps its seat."""
    reloaded = False
    waiting = {phone, desk}
    while waiting:
        for page in [*waiting]:
            if page.locator("#end").is_visible():
                photograph(page, "play-dealer-end")
                waiting.discard(page)
            elif page.locator("#fold").is_visible():
                if page is phone and not reloaded:
                    reloaded = True
                    check_layout(page)
                    photograph(page, "play-dealer")
                    page.reload()
                    expect(page.locator("#fold")).to_be_visible()
                    expect(page.locator("#clock")).to_be_visible()
                page.keyboard.press("c")
            page.wait_for_timeout(20)  # lets playwright hear the browser
    assert reloaded


def test_command_serves_the_page_and_ends_with_ctrl_c() -> None:
    with started_casino("play", "dice", "--web", "--web-port", "0", "--against", "dice-four") as process:
        assert line_with(process, "http://").strip().endswith("/play/")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert process.stdout is not None
        assert process.stdout.read() == ""


#: What a person reads who has a seat at a table.
PLAYING = re.compile("Your turn|with the next hand|Wait for the others")

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
        with started_casino(*SERVE, *ports, "--fast", "--journal", journal) as dealer:
            url = line_with(dealer, "For browsers").split()[-1]
            with open_eyes(browser, url) as eyes:
                phone, desk = eyes.open(PHONE, fragment="play"), eyes.open(DESK, fragment="play")
                sit_down(phone, "Ada")
                expect(phone.locator("#here li")).to_have_text("Ada (you)")
                phone.locator("#here").click()
                expect(phone.locator("#here")).to_be_visible()
                sit_down(desk)
                for page in (phone, desk):
                    expect(page.locator("#prompt")).to_have_text(PLAYING)
                nameless = desk.locator("#facts dd").last.inner_text()
                dealer.kill()
                dealer.wait()
                with started_casino("resume", journal) as resumed:
                    line_with(resumed, "expected back")
                    line_with(resumed, "+ Ada")  # the tab that had the seat sits down by itself
                    # A new tab of the same browser knows who was here.
                    desk.close()
                    desk = eyes.open_beside(desk, "play")
                    desk.get_by_role("button", name=f"Back to the seat of {nameless}").click()
                    play_out(phone, desk)
                    for page in (phone, desk):
                        expect(page.locator("#end-words")).to_contain_text("hands")
                    assert resumed.wait(PATIENCE) == 0


def test_page_that_was_killed_gives_people_their_seats(browser: Browser, tmp_path: Path) -> None:
    journal = tmp_path / "friday.journal"
    words = ("--people-port", "0", "--page-port", "0", "--port", "0", "--line-port", "0", "--fast")
    with started_casino(*SERVE, *words, "--journal", str(journal)) as dealer:
        url = line_with(dealer, "For browsers").split()[-1]
        with open_eyes(browser, url) as eyes:
            phone, desk = eyes.open(PHONE, fragment="play"), eyes.open(DESK, fragment="play")
            sit_down(phone, "Ada")
            line_with(dealer, "+ Ada")
            sit_down(desk, "Bob")
            for page in (phone, desk):
                expect(page.locator("#prompt")).to_have_text(PLAYING)
            (page_process,) = psutil.Process(dealer.pid).children()
            page_process.kill()
            page_process.wait()
            play_out(phone, desk)
            for page in (phone, desk):
                expect(page.locator("#end-words")).to_contain_text("hands")
            assert dealer.wait(PATIENCE) == 0
    hands = [record for record in read_raw(journal) if record["type"] == "hand"]
    assert [hand["faults"] for hand in hands] == [[], []]


def test_person_who_left_sits_down_as_the_same_player_or_as_another(browser: Browser) -> None:
    words = ("--people-port", "0", "--page-port", "0", "--port", "0", "--line-port", "0", "--no-journal")
    with started_casino(*SERVE, *words) as dealer:
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
    with started_casino(*SERVE, *words) as dealer:
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
