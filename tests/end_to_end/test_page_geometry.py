"""Layouts, pictures and axe-core's findings of the pages, compared with what they should be.

Pictures would differ with the fonts of each machine. The boxes of these parts follow the window, and hardly the fonts.
``CASINO_NEW_GEOMETRY=1 pytest tests/end_to_end/test_page_geometry.py`` writes the reference anew.
"""

import base64
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from bots.human.table_order import Order
from dealer.replay.journal_reader import Choice
from dealer.replayer.command import write_replay
from dealer.report.write import ReportOptions, write_report
from dealer.web.app import HEADERS
from dealer.web.shared_files import TYPES
from tests.dealer.support.golden_replays import write_stud
from tests.end_to_end.browser import PHONE, Scheme, line_players, open_eyes, violations
from tests.end_to_end.test_host_page import confirm, hosted
from tests.end_to_end.told_page import ADDRESS, Facts, names, open_alone, open_told, served_tables, told

FOLDER = Path(__file__).with_name("pictures")

#: Of a kept picture, in pixels.
WIDTH = 480

#: Where to begin to count a cell as different, from 0 (black) to 255 (white).
CELL_DIFFERENCE = 14

#: The share of cells that may be different.
CELLS = 0.04

NEW = "CASINO_NEW_PICTURES"

#: Shrinks a picture to a width, in grey; the mean brightness of its cells, and the shrunk picture.
SHRINK = """async ([url, width]) => {
  const picture = await createImageBitmap(await (await fetch(url)).blob());
  const height = Math.round((width * picture.height) / picture.width);
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.filter = "grayscale(1)";
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, width, height);
  const { data } = pen.getImageData(0, 0, width, height);
  const [across, down] = width > height ? [64, 36] : [36, 64];
  const [sums, counts] = [Array(across * down).fill(0), Array(across * down).fill(0)];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const column = Math.floor(((pixel % width) * across) / width);
    const cell = Math.floor((Math.floor(pixel / width) * down) / height) * across + column;
    sums[cell] += data[4 * pixel];
    counts[cell] += 1;
  }
  const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.6 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return [sums.map((sum, cell) => sum / counts[cell]), btoa(String.fromCharCode(...bytes))];
}"""


def photographed(page: Page, reader: Page) -> tuple[list[float], bytes]:
    """The cells of the window of a page, and a small picture of it. ``reader`` is a blank page."""
    return _shrunk(reader, page.screenshot(animations="disabled", caret="hide"), "png")


def _shrunk(reader: Page, picture: bytes, kind: str) -> tuple[list[float], bytes]:
    url = f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
    told: list[Any] = reader.evaluate(SHRINK, [url, WIDTH])
    return told[0], base64.b64decode(told[1])


_written: set[str] = set()


def difference(page: Page, reader: Page, name: str) -> float:
    """The share of cells in which a page differs from the picture of that name, which is written anew if wanted."""
    cells, small = photographed(page, reader)
    path = FOLDER / f"{name}.webp"
    if NEW in os.environ and name not in _written:  # a test may look again, at a page that it has changed
        _written.add(name)
        FOLDER.mkdir(exist_ok=True)
        path.write_bytes(small)
    kept, _ = _shrunk(reader, path.read_bytes(), "webp")
    differing = [abs(one - other) > CELL_DIFFERENCE for one, other in zip(cells, kept, strict=True)]
    return sum(differing) / len(differing)


#: The time on the page's clock, in seconds since 1970.
NOW = 1_800_000_000

#: In place of the dealer's stream, which stays open after all is told.
STREAM = """(lines) => {
  globalThis.fetch = async () => new Response(new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode(lines)),
  }));
}"""


def host_facts(count: int, *, wide: bool = False) -> dict[str, Facts | list[Facts]]:
    """What the host sees of a tournament: every third player is out, and there were two faults and a refused login."""
    players = [
        {
            "id": f"student-{number:03}", "avatar": avatar, "name": None, "here": number % 3 < 2,
            "out": "removed by the host: two programs" if number % 3 == 2 else None,
            "address": f"192.168.1.{number % 200}:41000" if number % 3 < 2 else None, "thinking": None,
            "replied": NOW - number % 7, "reply_ms": 12.5, "p99_ms": 80.0, "faults": number % 2,
            "chips": 12_000 - number, "place": number + 1, "table": number // 8, "leaving": False, "let_in": False,
        }
        for number, avatar in enumerate(names(count, wide=wide))
    ]  # fmt: skip
    fault = {
        "time": NOW - 60, "times": 1, "id": "student-001", "avatar": players[1]["avatar"], "hand": 7, "kind": "illegal",
        "reason": "a bet of 7 is too little; the least is 10", "sent": "bet1:7\\n", "effect": "plays on, 1 life left",
    }  # fmt: skip
    refused = {
        "time": NOW - 90, "times": 3, "address": "192.168.1.77:5", "port": 4001, "kind": "duplicate",
        "reason": "the id is here already", "id": "student-001", "sent": "student-001:Brian\\n",
    }  # fmt: skip
    state = {
        "phase": "playing", "paused": False, "pace": 0.0, "show_left": 431.0, "trouble": None, "message": None,
        "game": "hold'em", "hand": 31, "hands": 200, "playing": count, "level": 2, "stakes": {"big_blind": 100},
        "next": False, "tournament": 1, "tournaments": [{"number": 1, "journal": "friday.journal", "over": False}],
    }  # fmt: skip
    return {"state": state, "players": players, "incidents": [fault, fault], "logins": [refused]}


@contextmanager
def open_told_host(browser: Browser, count: int, size: tuple[int, int], scheme: Scheme = "dark") -> Iterator[Page]:
    """The host's page after it has heard of so many players."""
    lines = "".join(json.dumps({name: part}) + "\n" for name, part in host_facts(count).items())
    with open_alone(browser, f"({STREAM})({json.dumps(lines)})", _answer, size, scheme) as page:
        page.clock.set_fixed_time(NOW)
        page.goto(f"{ADDRESS}host")
        expect(page.locator("#logins-list li")).to_have_count(1)
        yield page


def _answer(route: Route) -> None:
    """Answer as the dealer does, from the files of the page and of the host's page."""
    path = route.request.url.removeprefix(ADDRESS)
    name = "host.html" if path == "host" else path.removeprefix("host/")
    folder = files("dealer.web.admin") if path.startswith("host") else files("dealer.web")
    body = folder.joinpath("page", name).read_bytes()
    route.fulfill(body=body, headers={**HEADERS, "content-type": TYPES[name.rpartition(".")[2]]})


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
        page.evaluate("document.querySelector('#table-view').style.visibility = 'hidden'")
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
