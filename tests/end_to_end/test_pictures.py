"""Pages compared with pictures of them: lobby, play, final table, podium, host, report, and a person's seat at a game.

``CASINO_NEW_PICTURES=1 pytest -n0 -m slow tests/end_to_end/test_pictures.py`` makes them anew. Look at each before you
commit it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bots.human.table_order import Order
from dealer.report.write import ReportOptions, write_report
from tests.dealer.support.golden_replays import write_stud
from tests.end_to_end.browser import PHONE, Scheme, open_eyes
from tests.end_to_end.house_page import served_tables
from tests.end_to_end.pictures import CELLS, FOLDER, difference
from tests.end_to_end.test_page_geometry import facts_of
from tests.end_to_end.told_host import open_told_host
from tests.end_to_end.told_page import open_told

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
        page.add_style_tag(content=WIDER) if name == "report" else page.evaluate(ADD_STYLE, WIDER)
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
