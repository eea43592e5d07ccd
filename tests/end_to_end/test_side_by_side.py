"""Two versions of a hand side by side, in a real browser that reaches nothing at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from playwright.sync_api import Browser, Page, expect

from dealer.versions.regress import find_regressions
from dealer.versions.regress_flags import RegressFlags
from tests.end_to_end.browser import PHONE, Eyes, open_eyes, photograph


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of hold'em."""
    folder = tmp_path_factory.mktemp("side-by-side")
    flags = RegressFlags(against=("caller",), hands=20, out=folder)
    trio.run(find_regressions, "maniac", "tight", ["holdem"], flags)
    return folder


@pytest.fixture
def eyes(browser: Browser, files: Path) -> Iterator[Eyes]:
    """A browser without a network, which may read the files alone."""
    with open_eyes(browser, f"{files.as_uri()}/") as seen:
        yield seen


def lines(page: Page) -> list[list[str]]:
    """What each table tells of the hand."""
    return [page.frame_locator(frame).locator("#log li span").all_inner_texts() for frame in ("#left", "#right")]


def test_both_tables_step_together(eyes: Eyes) -> None:
    page = eyes.open(fragment="holdem-caller.html")
    left, right = page.frame_locator("#left"), page.frame_locator("#right")
    expect(left.locator("#table-h")).to_have_text("the old version: tight")
    expect(right.locator("#table-h")).to_have_text("the new version: maniac")
    expect(page.locator("#where")).to_contain_text("the first difference")
    expect(right.locator("#log li")).not_to_have_count(0)
    before, after = lines(page)
    assert before[:-1] == after[:-1]
    assert before[-1].split(" (")[0] != after[-1].split(" (")[0]
    expect(left.locator("#controls")).to_be_hidden()
    page.keyboard.press("Home")
    for table in (left, right):
        expect(table.locator("#log li")).to_have_count(0)
    expect(page.get_by_role("button", name="Action before")).to_be_disabled()
    left.locator("#table-h").click()  # a key that a table gets moves both
    page.keyboard.press("ArrowRight")
    for table in (left, right):
        expect(table.locator("#log li")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#where")).to_have_text("the end")
    for table in (left, right):
        expect(table.locator("#street")).to_contain_text("finished")
    page.locator("#moments button").nth(1).click()
    expect(page.locator("#moments [aria-current]")).to_have_count(1)
    expect(page.locator("#where")).to_contain_text("the first difference")
    photograph(page, "side-by-side")


def test_no_part_of_a_table_is_covered(eyes: Eyes) -> None:
    page = eyes.open((1920, 1080), fragment="holdem-caller.html")
    expect(page.locator("#where")).to_contain_text("the first difference")
    hands = page.locator("#story").bounding_box()
    for frame in ("#left", "#right"):
        table = page.locator(frame).bounding_box()
        assert table is not None
        assert hands is not None
        assert table["y"] + table["height"] < hands["y"]


def test_hole_cards_of_both_can_be_hidden(eyes: Eyes) -> None:
    page = eyes.open(fragment="holdem-caller.html")
    for frame in ("#left", "#right"):
        expect(page.frame_locator(frame).locator(".card.hole").first).to_be_visible()
    page.keyboard.press("Home")
    page.get_by_role("checkbox", name="Hole cards").uncheck()
    for frame in ("#left", "#right"):
        expect(page.frame_locator(frame).locator(".card.hole")).to_have_count(0)


def test_on_a_phone(eyes: Eyes) -> None:
    page = eyes.open(PHONE, fragment="holdem-caller.html")
    expect(page.locator("#where")).to_contain_text("the first difference")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    photograph(page, "side-by-side")
