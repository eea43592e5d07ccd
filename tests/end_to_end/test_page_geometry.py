"""Layouts, pictures and axe-core's findings of the pages, compared with what they should be.

Pictures would differ with the fonts of each machine. The boxes of these parts follow the window, and hardly the fonts.
``CASINO_NEW_GEOMETRY=1 pytest tests/end_to_end/test_page_geometry.py`` writes the reference anew.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bots.human.table_order import Order
from dealer.replay.journal_reader import Choice
from dealer.replayer.command import write_replay
from dealer.report.write import ReportOptions, write_report
from tests.dealer.support.golden_replays import write_stud
from tests.end_to_end.axe import violations
from tests.end_to_end.browser import PHONE, Scheme, line_players, open_eyes
from tests.end_to_end.house_page import served_tables
from tests.end_to_end.pictures import CELLS, FOLDER, difference
from tests.end_to_end.test_host_page import confirm, hosted
from tests.end_to_end.told_host import open_told_host
from tests.end_to_end.told_page import Facts, open_told, told

REFERENCE = Path(__file__).with_name("page_geometry.json")

#: Parts of the window's width and height by which a box may differ.
TOLERANCE = 0.02

PARTS = {
    "lobby": [".connect", ".here", "#qr", "#here li:nth-child(1)"],
    "play": ["#leaders", "#table-view", "#tables", "#curves", "#news", ".oval"],
    "final table": ["#table-view", ".oval", ".seat:nth-child(1) .cards", ".seat:nth-child(4) .cards", "#board-cards"],
    "podium": ["#podium", "#leaders", "#curves", "#proof", "#steps li:nth-child(1)", "#steps li:nth-child(3)"],
}

BOXES = """(parts) => Object.fromEntries(parts.map((part) => {
  const { left, top, right, bottom } = document.querySelector(part).getBoundingClientRect();
  return [part, [left / innerWidth, top / innerHeight, right / innerWidth, bottom / innerHeight]];
}))"""


def facts_of(scene: str) -> dict[str, Facts]:
    """What the page is told for a picture of that name."""
    facts = told(24, phase={"lobby": "lobby", "podium": "over"}.get(scene, "play"))
    if scene == "lobby":
        return {name: facts[name] for name in ("scene", "lobby")}
    if scene == "final table":
        facts["board"] |= {"tables": facts["board"]["tables"][:1], "stage": "final"}
    return facts


def boxes(page: Page, scene: str) -> dict[str, list[float]]:
    if scene == "final table":
        page.keyboard.press("t")
        expect(page.locator("#table-view[data-places=edges]")).to_be_visible()
    measured: dict[str, list[float]] = page.evaluate(BOXES, PARTS[scene])
    return {part: [round(edge, 3) for edge in box] for part, box in measured.items()}


@pytest.mark.parametrize("scene", PARTS)
def test_layout_is_that_of_the_reference(browser: Browser, scene: str) -> None:
    with open_told(browser, facts_of(scene), (1280, 720)) as page:
        measured = boxes(page, scene)
    reference = json.loads(REFERENCE.read_text(encoding="utf-8")) if REFERENCE.exists() else {}
    if "CASINO_NEW_GEOMETRY" in os.environ:
        REFERENCE.write_text(json.dumps(reference | {scene: measured}, indent=1) + "\n", encoding="utf-8")
        return
    for part, box in reference[scene].items():
        assert measured[part] == pytest.approx(box, abs=TOLERANCE), part
    assert measured.keys() == reference[scene].keys()


# ``CASINO_NEW_PICTURES=1 pytest -n0 -m whole tests/end_to_end/test_page_geometry.py`` makes the pictures anew. Look at
# each before you commit it.


#: Bytes of all pictures together, so that the repository stays small.
MOST_BYTES = 1_500_000

SIZES = {"desk": (1280, 720), "phone": PHONE}

#: Pages, and a large part of each.
PAGES = {
    "lobby": ".here",
    "play": "#table-view",
    "final table": "#seats",
    "podium": "#steps",
    "host": "#incidents",
    "report": ".figure, figure, h1",
}

#: The tables at which a person sits, by game; the same cards each time.
SEATS = {
    "stud": Order("stud", "page", ("caller",), speed="none", hands=2),
    "blockhead": Order("blockhead", "page", ("alpha",), speed="none", hands=2),
    "holdem": Order("holdem", "page", ("caller",), 3, speed="none", hands=2),
    "dice": Order("dice", "page", ("dice-four",), speed="none", hands=2),
}

#: Letters a little wider, as in another version of a font.
WIDER = "* { letter-spacing: .012em }"


@pytest.fixture
def reader(browser: Browser) -> Iterator[Page]:
    """A page for pictures alone."""
    page = browser.new_page()
    yield page
    page.close()


@contextmanager
def opened(browser: Browser, name: str, size: tuple[int, int], theme: Scheme, folder: Path) -> Iterator[Page]:
    """A page with facts that are always the same."""
    if name == "host":
        with open_told_host(browser, 24, size, theme) as page:
            yield page
    elif name == "report":
        assert write_report(ReportOptions(write_stud(folder / "friday.journal"), folder / "report")) == 0
        with open_eyes(browser, f"{folder.as_uri()}/") as eyes:
            yield eyes.open(size, theme, "report/index.html")
    else:
        with open_told(browser, facts_of(name), size, theme) as page:
            if name == "final table":
                page.keyboard.press("t")
                expect(page.locator("#table-view[data-places]")).to_be_visible()
            yield page


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_page_looks_as_its_picture(
    browser: Browser, reader: Page, name: str, size: str, theme: Scheme, tmp_path: Path
) -> None:
    with opened(browser, name, SIZES[size], theme, tmp_path) as page:
        assert difference(page, reader, f"{name.replace(' ', '-')}-{size}-{theme}") <= CELLS


@pytest.mark.parametrize("name", PAGES)
def test_missing_parts_are_seen_and_other_letters_are_not(
    browser: Browser, reader: Page, name: str, tmp_path: Path
) -> None:
    picture = f"{name.replace(' ', '-')}-desk-dark"
    with opened(browser, name, SIZES["desk"], "dark", tmp_path) as page:
        page.evaluate(ADD_STYLE, WIDER)
        assert difference(page, reader, picture) <= CELLS
        page.evaluate(
            "(part) => document.querySelectorAll(part).forEach((one) => (one.style.visibility = 'hidden'))", PAGES[name]
        )
        assert difference(page, reader, picture) > CELLS


@contextmanager
def seated(browser: Browser, game: str, size: tuple[int, int]) -> Iterator[Page]:
    """The page on which a person plays, at the first turn of all."""
    with served_tables([SEATS[game]]) as url, open_eyes(browser, url) as eyes:
        page = eyes.open(size, "dark", f"{game}/")
        expect(page.locator("#prompt")).to_contain_text("Your turn")
        yield page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", SEATS)
def test_seat_looks_as_its_picture(browser: Browser, reader: Page, game: str, size: str) -> None:
    with seated(browser, game, SIZES[size]) as page:
        assert difference(page, reader, f"seat-{game}-{size}-dark") <= CELLS
        page.evaluate(ADD_STYLE, WIDER)
        assert difference(page, reader, f"seat-{game}-{size}-dark") <= CELLS
        page.evaluate("document.querySelector('#seats').style.visibility = 'hidden'")
        assert difference(page, reader, f"seat-{game}-{size}-dark") > CELLS


#: Adds a style sheet in a way that the page's own policy allows.
ADD_STYLE = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}"""


def test_pictures_are_small_and_all_are_used() -> None:
    names = {
        f"{name.replace(' ', '-')}-{size}-{theme}" for name in PAGES for size in SIZES for theme in ("dark", "light")
    }
    names |= {f"seat-{game}-{size}-dark" for game in SEATS for size in SIZES}
    assert {path.stem for path in FOLDER.iterdir()} == names
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


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
