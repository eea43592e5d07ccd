"""The lobby and its names as large as they fit, and a leader board of hundreds of rows."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.docs.pages import page as docs_page
from tests.end_to_end.browser import PHONE, PROJECTOR, photograph
from tests.end_to_end.told_page import Facts, open_told, told


def lobby(count: int, *, wide: bool = False) -> dict[str, Facts]:
    facts = told(count, phase="lobby", wide=wide)
    return {name: facts[name] for name in ("scene", "lobby")}


#: Whether nothing of the lobby lies outside its box, and names that are shown as a whole have the height for it.
FITS = """() => {
  const box = (it) => it.getBoundingClientRect();
  const inside = (inner, outer) =>
    inner.left >= outer.left && inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1;
  const connect = box(document.querySelector(".connect"));
  const what = ".address b, .port b, .lines, #code, #lines :is(code, button), #promise";
  const parts = [...document.querySelectorAll(what)];
  return parts.every((it) => inside(box(it), connect))
    && [...document.querySelectorAll("#here li")].every((it) => inside(box(it.querySelector(".name")), box(it)));
}"""


@pytest.mark.parametrize("size", [(1280, 720), PROJECTOR, PHONE])
@pytest.mark.parametrize("count", [6, 200])
def test_lobby_fits(browser: Browser, size: tuple[int, int], count: int) -> None:
    with open_told(browser, lobby(count, wide=True), size) as page:
        expect(page.locator("#here li")).to_have_count(count)
        photograph(page, f"lobby-{count}")
        assert page.evaluate(FITS)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", [(1280, 720), PHONE])
def test_long_names_are_shown_whole(browser: Browser, size: tuple[int, int]) -> None:
    facts = lobby(6)
    facts["scene"]["players"] = ["Steph", "Elodie Angstrom-Nandu de la Pena", "日本" * 16, "ab cd " * 5, "Bo", "W" * 20]
    with open_told(browser, facts, size) as page:
        expect(page.locator("#here li")).to_have_count(6)
        cut = "(name) => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 1"
        names = page.locator("#here .name").all()
        assert [name.text_content() for name in names if name.evaluate(cut)] == []
        expect(page.locator("#here .name").first).not_to_have_class(re.compile("long"))


def test_people_are_told_where_they_play(browser: Browser) -> None:
    facts = lobby(2)
    with open_told(browser, facts, (1280, 720)) as page:
        link = page.locator("#ports a")
        expect(link).to_have_text("192.168.1.20:8080/play")
        expect(link).to_have_attribute("href", "play")
        page.evaluate("(scene) => tell({ scene })", facts["scene"] | {"page": None})
        expect(link).to_have_text("play")
        page.evaluate("(scene) => tell({ scene })", facts["scene"] | {"peoplePort": None})
        expect(link).to_have_count(0)


def test_fewer_names_are_larger(browser: Browser) -> None:
    sizes = []
    for count in (2, 6, 24, 100):
        with open_told(browser, lobby(count), (1280, 720)) as page:
            expect(page.locator("#here li")).to_have_count(count)
            sizes.append(page.evaluate("parseFloat(getComputedStyle(document.querySelector('#here .name')).fontSize)"))
            assert page.evaluate(
                "document.querySelector('#here').scrollHeight <= document.querySelector('#here').clientHeight"
            )
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 3 * sizes[-1]


def test_lobby_tells_how_many_are_here_and_when_it_starts(browser: Browser) -> None:
    facts = lobby(6)
    with open_told(browser, facts, (1280, 720)) as page:
        count, start = page.locator("#here-count"), page.locator("#start")
        expect(count).to_have_text("6 of 7")
        expect(start).to_have_text("It starts when 7 players are here, or in 1:42, or when the host says so.")
        page.evaluate("tell({ lobby: { startsIn: 0 } })")
        expect(start).to_contain_text("or as soon as two players are here")
        page.evaluate("(told) => tell(told)", {"scene": facts["scene"] | {"seats": None}, "lobby": {"startsIn": None}})
        expect(count).to_have_text("6")
        expect(start).to_have_text("It starts when the host says so.")


def test_lines_to_copy_are_those_of_the_starters(browser: Browser) -> None:
    with open_told(browser, lobby(2), (1280, 720)) as page:
        lines = page.locator("#lines code").all_text_contents()
        for line, language in zip(lines, ("python", "java", "cpp"), strict=False):
            (told_line,) = re.findall(
                r"^(\S.* 192\.168\.1\.20 4000) ", docs_page(f"bots/starters/{language}/README.md"), re.M
            )
            assert line == told_line
        assert lines[3] == "casino play 192.168.1.20 4002"
        page.locator("#lines button").first.click()
        expect(page.locator("#lines button").first).to_have_text("Copied")
        assert page.evaluate("getSelection().toString()") == lines[0]


def test_code_is_shown_where_others_reach_the_page(browser: Browser) -> None:
    facts = lobby(2)
    with open_told(browser, facts, (1280, 720)) as page:
        expect(page.locator("#page")).to_have_text("192.168.1.20:8080/")
        expect(page.locator("#qr")).to_have_attribute("src", "qr.svg")
        page.evaluate("(scene) => tell({ scene })", facts["scene"] | {"page": None})
        expect(page.locator("#code")).to_be_hidden()


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
    return {"board": {**board, "rows": [{**row, "score": row["score"] + more} for row in board["rows"]]}}


def chips(page: Page) -> list[str]:
    return list(page.locator("#rows .chips").all_text_contents())


def hold(page: Page, top: int) -> None:
    """Scroll the leader board to a place, and keep the list from turning its pages by itself meanwhile."""
    page.locator("#leaders .scroll").hover()
    page.evaluate("(top) => document.querySelector('#leaders .scroll').scrollTo(0, top)", top)
    page.evaluate(NEXT_FRAME)


@pytest.mark.parametrize("size", [(1920, 1080), (390, 844)])
def test_rows_are_filled_a_part_a_frame(browser: Browser, size: tuple[int, int]) -> None:
    facts = told(PLAYERS)
    with open_told(browser, facts, size) as page:
        expect(page.locator("#rows .chips:not(:empty)")).to_have_count(PLAYERS)
        hold(page, 0)
        frames = page.evaluate(FILLED, later(facts))
        assert max(map(len, frames)) <= AT_ONCE
        assert 0 in frames[0]
        assert chips(page) == [f"{row['score'] + 1:,}" for row in facts["board"]["rows"]]


def test_rows_in_sight_are_filled_first(browser: Browser) -> None:
    facts = told(PLAYERS)
    with open_told(browser, facts, (1920, 1080)) as page:
        expect(page.locator("#rows .chips:not(:empty)")).to_have_count(PLAYERS)
        hold(page, 1_000_000)
        frames = page.evaluate(FILLED, later(facts))
        assert PLAYERS - 1 in frames[0]


def test_newer_facts_replace_those_that_wait(browser: Browser) -> None:
    facts = told(PLAYERS)
    with open_told(browser, facts, (1920, 1080)) as page:
        for more in range(5):
            page.evaluate("(facts) => tell(facts)", later(facts, more))
        page.evaluate(FILLED, later(facts, 7))
        assert chips(page) == [f"{row['score'] + 7:,}" for row in facts["board"]["rows"]]
