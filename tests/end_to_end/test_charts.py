"""The charts of reports in a real browser: what they draw, and what they tell to pointer, keys and screen readers."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bots.report_file import Part, write_page
from bots.simulation.engine import play
from bots.simulation.html_report import report_page
from bots.simulation.plan import Plan
from dealer.settings import Settings
from protocol.charts.chart import Axis, Chart, Kind, Series, Shape
from protocol.games.base import FOLD
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from tests.dealer.support.holdem_journals import write_league
from tests.dealer.support.recorded import clients_by_chance, play_recorded, run_at_once
from tests.dealer.support.reported import charts, report
from tests.dealer.support.rig import SEED, by_chance
from tests.dealer.support.scribe import Scribe, players
from tests.end_to_end.browser import PHONE, Eyes, Scheme, open_eyes, photograph, violations

HOSTILE = "<img src=x onerror=alert(1)>"
CROWD = 15
LAPTOP = (1280, 720)

#: The kinds that a page draws differently, each with a page and a chart of it.
KINDS = {
    "curves": ("crowd", "chips"),
    "steps": ("crowd", "places"),
    "dots": ("rounds", "rounds"),
    "pairs of curves": ("holdem", "equity"),
    "stacked bars": ("holdem", "ways"),
    "boxes": ("holdem", "replies"),
    "columns": ("simulation", "chips-won"),
    "bands": ("simulation", "mean"),
    "bars with intervals": ("simulation", "openers"),
}
PAGES = ("crowd", "rounds", "holdem", "simulation", "made-up")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages with all kinds of charts."""
    folder = tmp_path_factory.mktemp("charts")
    report(write_league(folder / "holdem.journal", Random(5), HoldemGame(stack=100), hands=40), folder / "holdem")
    scribe = Scribe(
        Settings(SEED, StudGame(60, 1), hands=30, table_size=5, levels=10),
        players(HOSTILE, *[f"Player {number}" for number in range(1, CROWD)]),
    )
    decide = by_chance(1)
    scribe.play_round(lambda player, turn: FOLD if turn.owed > 3 else decide(turn))
    scribe.end()
    report(scribe.write(folder / "crowd.journal"), folder / "crowd")
    rounds = Settings(SEED, StudGame(60, 1), hands=20, rounds=2)
    run_at_once(partial(play_recorded, folder / "rounds.journal", clients_by_chance(4), rounds))
    report(folder / "rounds.journal", folder / "rounds")
    outcome = play(Plan(("random", "maniac", "caller"), BlockheadGame(hands=4), 300, True, "x"))
    (folder / "simulation").mkdir()
    (folder / "simulation/index.html").write_text(report_page(outcome), "utf-8")
    (folder / "made-up").mkdir()
    (folder / "made-up/index.html").write_text(made_up_page(), "utf-8")
    return folder


def made_up_page() -> str:
    """A page with a simulation's frame, and charts with any numbers."""
    chance = Random(7)
    made = [made_up(chance, number) for number in range(24)]
    return write_page("Made up", [Part("", "Made up", [], [], [], made)])


def made_up(chance: Random, number: int) -> Chart:
    kinds: list[Kind] = ["curves", "stacked", "beside", "boxes"]
    kind = chance.choice(kinds)
    size, length = 10 ** chance.randint(0, 9), 6 if kind == "boxes" else chance.randint(1, 20)
    low = 0.001 if kind in ("stacked", "boxes") else -size
    shapes: list[Shape] = ["line", "steps", "dots"]
    series = []
    for name in range(chance.randint(1, 14)):
        values = [chance.uniform(low, size) for _ in range(length)]
        values = sorted(values) if kind == "boxes" else values
        margin = [chance.uniform(0, size / 10) for _ in values] if kind in ("curves", "beside") else []
        one = Series(f"{HOSTILE} {name}", f"hsl({25 * name} 60% 50%)", range(length), values)
        ends = [[value + sign * half for value, half in zip(values, margin, strict=False)] for sign in (-1, 1)]
        series.append(replace(one, shape=chance.choice(shapes), low=ends[0], high=ends[1]))
    names = () if kind in ("curves", "boxes") else [f"row {row} {HOSTILE}" for row in range(length)]
    at, value = Axis("where", "no. {}", names=names), Axis("chips", "{} chips", digits=chance.randint(0, 3))
    value = replace(value, scale="log", digits=3) if kind == "boxes" else value
    return Chart(f"chart-{number}", f"Chart {number}", "", kind, at, value, series, [(length // 2 + 1, "half")])


@pytest.fixture
def eyes(browser: Browser, folder: Path) -> Iterator[Eyes]:
    """A browser without a network, which may read the files alone."""
    with open_eyes(browser, f"{folder.as_uri()}/") as seen:
        yield seen


def opened(eyes: Eyes, name: str, size: tuple[int, int] = LAPTOP, scheme: Scheme = "light") -> Page:
    """A page with all its sections open."""
    page = eyes.open(size, scheme, f"{name}/index.html")
    page.evaluate("document.querySelectorAll('details.folded').forEach((one) => { one.open = true; })")
    return page


def picture(chart: Locator) -> Locator:
    return chart.get_by_role("img")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_tells_its_numbers_to_pointer_and_keys(kind: str, eyes: Eyes, folder: Path) -> None:
    name, element = KINDS[kind]
    page = opened(eyes, name)
    chart, tip = page.locator(f"#{element}"), page.locator(f"#{element} .tip")
    data = charts((folder / name / "index.html").read_text("utf-8"))[element]
    expect(picture(chart)).to_have_accessible_name(re.compile(f"^{re.escape(data['title'])}: "))
    expect(tip).to_be_empty()
    box = picture(chart).bounding_box()
    assert box is not None
    picture(chart).hover(position={"x": box["width"] / 2, "y": box["height"] / 2})
    unit = data["value"]["unit"].replace("{}", "").strip()
    expect(tip).to_contain_text(unit)
    assert [one for one in data["series"] if one["name"] in tip.inner_text()]
    page.mouse.move(0, 0)
    expect(tip).to_be_empty()
    picture(chart).focus()
    told = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        expect(tip).to_contain_text(unit)
        told.append(tip.inner_text())
    assert told[0] != told[1] != told[2]
    assert "undefined" not in "".join(told) + "".join(chart.locator("text").all_text_contents())
    assert "NaN" not in chart.evaluate("(one) => one.querySelector('.plot').innerHTML")
    page.keyboard.press("Tab")
    expect(tip).to_be_empty()


def test_keys_follow_a_curve_and_pointer_finds_its_last_point(eyes: Eyes, folder: Path) -> None:
    page = opened(eyes, "crowd")
    data = charts((folder / "crowd/index.html").read_text("utf-8"))["chips"]
    first, chart = data["series"][0], page.locator("#chips")
    picture(chart).focus()
    for at, value in list(zip(first["at"], first["values"], strict=True))[:3]:
        page.keyboard.press("ArrowRight")
        expect(chart.locator(".tip")).to_have_text(f"{first['name']}, hand {at}: {value} chips")
    box = picture(chart).bounding_box()
    assert box is not None
    picture(chart).hover(position={"x": box["width"] - 8, "y": 24})
    expect(chart.locator(".tip")).to_have_text(f"{first['name']}, hand {first['at'][-1]}: {first['values'][-1]} chips")


def numbers_in(value: object) -> Iterator[float]:
    if isinstance(value, list):
        for one in value:
            yield from numbers_in(one)
    elif isinstance(value, int | float):
        yield float(value)


@pytest.mark.parametrize("name", PAGES)
def test_every_number_is_in_the_table(name: str, eyes: Eyes, folder: Path) -> None:
    page = opened(eyes, name)
    data = charts((folder / name / "index.html").read_text("utf-8"))
    assert data
    for element, chart in data.items():
        page.locator(f"#{element} details > summary").click()
        table = page.locator(f"#{element} .numbers")
        expect(table).to_be_visible()
        text = table.inner_text()
        told = {
            float(number.replace(",", "").replace("\N{MINUS SIGN}", "-"))
            for number in re.findall(r"\N{MINUS SIGN}?\d[\d,]*(?:\.\d+)?", text)
        }
        rows = chart["at"]["names"]
        for one in chart["series"]:
            assert one["name"] in text
            places = [] if rows else one["at"]
            assert set(numbers_in([places, one["values"], one["low"], one["high"]])) <= told
        assert set(rows) <= set(re.findall(r"[^\t\n]+", text))
        for place, words in chart["marks"]:
            assert words in text
            assert round(place, 3) in told


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_overflows_and_axe_finds_nothing(name: str, size: tuple[int, int], eyes: Eyes) -> None:
    scheme: Scheme = "dark" if size == PHONE else "light"
    page = opened(eyes, name, size, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    outside = page.evaluate(
        """() => [...document.querySelectorAll(".plot text, .legend button, .plot rect")].filter((one) => {
          const [inner, outer] = [one, one.closest(".chart")].map((node) => node.getBoundingClientRect());
          return inner.left < outer.left - 1 || inner.right > outer.right + 1;
        }).map((one) => one.outerHTML)"""
    )
    assert outside == []
    covered = page.evaluate(
        """() => [...document.querySelectorAll(".plot")].flatMap((plot) => {
          const texts = [...plot.querySelectorAll("text:not([transform])")];
          const boxes = texts.map((one) => [one.textContent, one.getBoundingClientRect()]);
          return boxes.flatMap(([one, a], index) => boxes.slice(index + 1)
            .filter(([, b]) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
            .map(([other]) => [one, other]));
        })"""
    )
    assert covered == []
    assert violations(page) == []
    photograph(page, f"charts-{name}")


def test_chart_is_drawn_again_where_the_window_changes(eyes: Eyes) -> None:
    page = opened(eyes, "holdem")
    plot, drawn = page.locator("#chips .plot"), picture(page.locator("#chips"))
    for width in (1280, 390, 900):
        page.set_viewport_size({"width": width, "height": 720})
        wide = plot.evaluate("(one) => one.clientWidth")
        expect(drawn).to_have_attribute("viewBox", re.compile(rf"^0 0 {wide} "))
        letters = page.locator("#chips text").first.evaluate("(one) => one.getBoundingClientRect().height")
        assert letters >= 12


def test_folded_chart_is_as_wide_as_its_section_once_it_is_open(eyes: Eyes) -> None:
    page = eyes.open(PHONE, fragment="holdem/index.html#part-ways")
    wide = page.locator("#ways .plot").evaluate("(one) => one.clientWidth")
    assert 0 < wide < PHONE[0]
    expect(picture(page.locator("#ways"))).to_have_attribute("viewBox", re.compile(rf"^0 0 {wide} "))


def test_names_hide_and_show_curves(eyes: Eyes) -> None:
    page = opened(eyes, "crowd")
    chart = page.locator("#chips")
    names, curves = chart.locator(".legend button"), chart.locator(".curve")
    expect(curves).to_have_count(12)
    names.nth(1).click()
    expect(names.nth(1)).to_have_attribute("aria-pressed", "false")
    expect(curves).to_have_count(11)
    names.nth(1).click()
    names.nth(2).dblclick()
    expect(curves).to_have_count(1)
    expect(chart.locator('[aria-pressed="true"]')).to_have_count(1)
    names.nth(2).dblclick()
    expect(curves).to_have_count(12)


def test_curves_that_are_not_listed_can_be_chosen(eyes: Eyes) -> None:
    page = opened(eyes, "crowd")
    chart = page.locator("#places")
    choice = chart.get_by_role("combobox", name=f"The first 12 of {CROWD} are listed.")
    expect(choice.locator("option")).to_have_count(1 + CROWD - 12)
    name = choice.locator("option").nth(1).inner_text()
    choice.select_option(name)
    expect(chart.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
    expect(choice.locator("option")).to_have_count(CROWD - 12)
    expect(chart.locator(".curve")).to_have_count(13)


def test_won_and_expected_share_a_name(eyes: Eyes) -> None:
    page = opened(eyes, "holdem")
    chart = page.locator("#equity")
    names, curves = chart.locator('.legend [aria-pressed="true"]'), chart.locator(".curve")
    before = names.count()
    assert curves.count() == 2 * before
    names.first.click()
    expect(curves).to_have_count(2 * (before - 1))


def test_paper_has_dark_letters_open_sections_and_no_tables_of_numbers(eyes: Eyes) -> None:
    page = eyes.open(LAPTOP, "dark", "holdem/index.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(picture(page.locator("#ways"))).to_be_visible()
    expect(page.locator("#chips text").first).to_have_css("fill", "rgb(27, 31, 36)")
    expect(page.locator("#chips details")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(picture(page.locator("#ways"))).to_be_hidden()


def test_policy_of_a_page_stops_foreign_scripts_and_loads(eyes: Eyes) -> None:
    page = opened(eyes, "holdem")
    page.evaluate(
        """() => {
          window.stopped = [];
          document.addEventListener("securitypolicyviolation", (event) => stopped.push(event.effectiveDirective));
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.body.append(script);
          const image = document.createElement("img");
          image.src = "beside.png";
          document.body.append(image);
        }"""
    )
    page.wait_for_function("stopped.length === 2")
    assert sorted(page.evaluate("stopped")) == ["img-src", "script-src-elem"]
    assert not page.evaluate("window.ran")


def test_data_of_a_page_is_json(folder: Path) -> None:
    text = (folder / "crowd/index.html").read_text("utf-8")
    assert HOSTILE not in text
    assert json.dumps(HOSTILE[:13])[1:-1] in json.dumps(charts(text), ensure_ascii=False)
