"""No page has a violation that axe-core finds, in either theme, on a projector and on a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bots.human.table_order import Order
from dealer.replay.journal_reader import Choice
from dealer.replayer.command import write_replay
from dealer.report.write import ReportOptions, write_report
from tests.dealer.support.golden_replays import write_stud
from tests.end_to_end.axe import violations
from tests.end_to_end.browser import PHONE, Scheme, open_eyes
from tests.end_to_end.house_page import served_tables
from tests.end_to_end.test_host_page import confirm, hosted, line_players
from tests.end_to_end.test_page_geometry import PARTS, facts_of
from tests.end_to_end.told_page import open_told

#: A login that is refused, and shown to the host.
HOSTILE = "Amit-id:<img src=x onerror=alert(1)>"

BOTH: tuple[Scheme, ...] = ("dark", "light")


def in_both_themes(page: Page) -> Iterator[list[str]]:
    """What is wrong in each theme, at its own size."""
    for theme in BOTH:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        yield violations(page)


def check(page: Page) -> None:
    for found in in_both_themes(page):
        assert not found, "\n\n".join(found)


@pytest.mark.parametrize("size", [(1280, 720), PHONE])
@pytest.mark.parametrize("scene", PARTS)
def test_projector_page(browser: Browser, scene: str, size: tuple[int, int]) -> None:
    with open_told(browser, facts_of(scene), size) as page:
        if scene == "final table":
            page.keyboard.press("t")
        check(page)


def test_host_page(browser: Browser) -> None:
    with hosted(browser, "--desk") as host:
        page = host.eyes.open((1280, 720), fragment="host")
        expect(page.locator("#login")).to_be_visible()
        check(page)
        host.enter(page)
        with line_players(host.line_port, "Amit-id:Amit", "Brian-id:Brian", HOSTILE):
            expect(page.locator("#players tr")).to_have_count(2)
            expect(page.locator("#logins-list")).to_contain_text(HOSTILE)
            page.get_by_role("button", name="Start", exact=True).click()
            check(page)
            confirm(page, "Start")
            expect(page.locator("#phase")).to_have_text("Playing")
            check(page)
            page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
            check(page)


def test_players_page(browser: Browser) -> None:
    table = Order("stud", "page", ("caller",), speed="none", hands=2)
    with served_tables((table,)) as url, open_eyes(browser, url) as eyes:
        page = eyes.open((1280, 720), fragment="stud/")
        expect(page.locator("#prompt")).to_contain_text("Your turn")
        check(page)
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        check(page)


def test_replay_and_report(browser: Browser, tmp_path: Path) -> None:
    journal = write_stud(tmp_path / "friday.journal")
    assert write_replay(journal, Choice(), tmp_path / "friday.html") == 0
    assert write_report(ReportOptions(journal, tmp_path / "report")) == 0
    with open_eyes(browser, f"{tmp_path.as_uri()}/") as eyes:
        page = eyes.open((1280, 720), fragment="friday.html")
        expect(page.locator("#street")).to_contain_text("hand 1")
        check(page)
        check(eyes.open((1280, 720), fragment="report/index.html"))
