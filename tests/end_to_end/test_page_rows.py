"""A leader board of hundreds of rows is filled a part a frame, what is in sight first, and in the end all of it."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.told_page import open_told, told

PLAYERS = 200

#: Rows that are filled at once, at most: more would take longer than a frame lasts.
AT_ONCE = 24

#: Tell the page new facts, and note which rows are filled in each frame until all have been.
FILLED = """(facts) => new Promise((told) => {
  const rows = document.getElementById("rows");
  const missing = new Set([...rows.children].keys());
  const frames = [];
  const observer = new MutationObserver((changes) => {
    const changed = new Set(changes.map((change) => [...rows.children].indexOf(change.target.closest("tr"))));
    frames.push([...changed]);
    for (const row of changed) missing.delete(row);
    if (missing.size) return;
    observer.disconnect();
    told(frames);
  });
  observer.observe(rows, { subtree: true, childList: true });
  tell(facts);
})"""


#: Until the browser has told the page that it was scrolled.
NEXT_FRAME = "() => new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(told)))"


def later(facts: dict[str, Any], more: int = 1) -> dict[str, Any]:
    """The facts of a board on which everybody has more chips."""
    board = facts["board"]
    return {"board": {**board, "rows": [[*row[:2], row[2] + more, *row[3:]] for row in board["rows"]]}}


def chips(page: Page) -> list[str]:
    return list(page.locator("#rows .chips").all_text_contents())


@pytest.mark.parametrize("size", [(1920, 1080), (390, 844)])
def test_rows_are_filled_a_part_a_frame(browser: Browser, size: tuple[int, int]) -> None:
    facts = told(PLAYERS)
    with open_told(browser, facts, size) as page:
        expect(page.locator("#rows .chips:not(:empty)")).to_have_count(PLAYERS)
        frames = page.evaluate(FILLED, later(facts))
        assert max(map(len, frames)) <= AT_ONCE
        assert 0 in frames[0]
        assert chips(page) == [f"{row[2] + 1:,}" for row in facts["board"]["rows"]]


def test_rows_in_sight_are_filled_first(browser: Browser) -> None:
    facts = told(PLAYERS)
    with open_told(browser, facts, (1920, 1080)) as page:
        expect(page.locator("#rows .chips:not(:empty)")).to_have_count(PLAYERS)
        page.evaluate("document.querySelector('#leaders .scroll').scrollTo(0, 1e6)")
        page.evaluate(NEXT_FRAME)
        frames = page.evaluate(FILLED, later(facts))
        assert PLAYERS - 1 in frames[0]


def test_newer_facts_replace_those_that_wait(browser: Browser) -> None:
    facts = told(PLAYERS)
    with open_told(browser, facts, (1920, 1080)) as page:
        for more in range(5):
            page.evaluate("(facts) => tell(facts)", later(facts, more))
        page.evaluate(FILLED, later(facts, 7))
        assert chips(page) == [f"{row[2] + 7:,}" for row in facts["board"]["rows"]]
