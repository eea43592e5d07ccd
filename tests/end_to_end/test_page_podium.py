"""The podium and moments on the page: steps, honours, words that are read aloud, and hands in slow motion."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.browser import PHONE, PROJECTOR, photograph
from tests.end_to_end.told_page import open_told, told

HONOURS: dict[str, Any] = {
    "best": [0, 4120, 87, "a flush, king high, and the highest spade in the hole"],
    "pot": [1, 9120, 31, ""],
    "fastest": [2, 0.21],
    "steadiest": None,
}

#: Whether the steps, names and honours lie inside the podium, and none of the names on a step.
FITS = """() => {
  const box = (it) => it.getBoundingClientRect();
  const podium = box(document.querySelector("#podium"));
  const inside = [...document.querySelectorAll("#steps li, #steps .name, .crown, #honours div, #honours .name")]
    .every((it) => box(it).left >= podium.left && box(it).right <= podium.right && box(it).bottom <= podium.bottom
      && box(it).top >= podium.top);
  const apart = box(document.querySelector("#steps")).bottom <= box(document.querySelector("#honours")).top + 1;
  const stands = [...document.querySelectorAll("#steps li")]
    .every((it) => box(it.querySelector(".winner")).bottom <= box(it.querySelector(".block")).top + 1);
  return inside && apart && stands;
}"""


@pytest.mark.parametrize("size", [(1280, 720), PROJECTOR, PHONE])
@pytest.mark.parametrize("count", [6, 200])
def test_podium_fits(browser: Browser, size: tuple[int, int], count: int) -> None:
    facts = told(count, phase="over", wide=True)
    facts["board"]["honours"] = HONOURS
    with open_told(browser, facts, size) as page:
        expect(page.locator("#steps li")).to_have_count(3)
        photograph(page, f"podium-{count}")
        assert page.evaluate(FITS)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_long_names_on_the_steps_are_whole(browser: Browser) -> None:
    facts = told(6, phase="over")
    facts["scene"]["players"][:3] = ["Steph", "Elodie Angstrom-Nandu de la Pena", "Kwame Nkrumah-Appiah III"]
    with open_told(browser, facts, (1280, 720)) as page:
        names = page.locator("#steps .name")
        expect(names).to_have_count(3)
        cut = "(name) => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 1"
        assert [name.evaluate(cut) for name in names.all()] == [False] * 3
        assert [name.get_attribute("class") for name in names.all()] == ["name", "name long", "name long"]


#: Whether all writing of the chips' curves lies inside them.
WRITTEN_INSIDE = """() => {
  const box = (it) => it.getBoundingClientRect();
  const plot = box(document.querySelector("#plot"));
  return [...document.querySelectorAll("#plot text")].every((it) =>
    box(it).top >= plot.top - 1 && box(it).bottom <= plot.bottom + 1 && box(it).left >= plot.left - 1);
}"""


@pytest.mark.parametrize("size", [(1280, 720), (3840, 2160)])
def test_writing_of_curves_is_not_cut(browser: Browser, size: tuple[int, int]) -> None:
    with open_told(browser, told(24, phase="over"), size) as page:
        expect(page.locator("#plot text").first).to_be_visible()
        assert page.evaluate(WRITTEN_INSIDE)


def test_podium_tells_honours_in_words(browser: Browser) -> None:
    facts = told(6, phase="over")
    facts["board"]["honours"] = HONOURS
    with open_told(browser, facts, (1280, 720)) as page:
        expect(page.locator("#steps li").first.locator(".crown")).to_be_visible()
        expect(page.locator(".crown")).to_have_count(1)
        expect(page.locator("#honours > div")).to_have_text(
            [
                f"Winner\u2019s best handPlayer 0+4,120 in hand 87: {HONOURS['best'][3]}",
                "Biggest potPlayer 19,120 in hand 31",
                "Fastest programPlayer 2half of its replies within 0.21 ms",
            ]
        )


def test_steps_rise_one_after_the_other_where_things_may_move(browser: Browser) -> None:
    facts = told(6, phase="over")
    delays = "[...document.querySelectorAll('#steps li')].map((it) => parseFloat(getComputedStyle(it).animationDelay))"
    with open_told(browser, facts, (1280, 720), moves=True) as page:
        first, second, third = page.evaluate(delays)
        assert first > second > third
    with open_told(browser, facts, (1280, 720)) as page:
        assert page.evaluate("document.getAnimations().length") == 0


SMALL_WINDOW = (1280, 720)

#: For how long a moment is shown.
SHOWN_MS = 3500

#: In place of the browser's sound: counts the notes that are played.
SILENT = """() => {
  globalThis.notes = 0;
  const node = () => ({ connect: (next) => next });
  const gain = () => ({ setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} });
  globalThis.AudioContext = class {
    currentTime = 0;
    resume() {}
    suspend() {}
    createGain = () => ({ ...node(), gain: gain() });
    createOscillator = () => ({ ...node(), frequency: {}, start: () => { globalThis.notes += 1; }, stop() {} });
  };
}"""


def tell(page: Page, *moments: list[Any]) -> None:
    page.evaluate("(latest) => tell({ moments: { latest } })", list(moments))


def lead(page: Page, player: int) -> None:
    board = told(6)["board"]
    board["rows"].insert(0, board["rows"].pop(player))
    page.evaluate("(board) => tell({ board })", board)


def test_a_lead_that_is_lost_again_is_not_told(browser: Browser) -> None:
    with open_told(browser, told(6), SMALL_WINDOW, moves=True) as page:
        page.clock.install()
        sign = page.locator("#moment")
        lead(page, 2)
        tell(page, [1, "level", None, "", 2], [2, "leader", 2, "", 1234])
        lead(page, 4)
        tell(page, [1, "level", None, "", 2], [2, "leader", 2, "", 1234], [3, "leader", 4, "", 1300])
        page.clock.run_for(SHOWN_MS)
        expect(sign).to_have_text("New leaderPlayer 4leads with 1,300")
        lead(page, 2)
        expect(sign).to_be_hidden()


def test_moments_are_told_one_after_the_other(browser: Browser) -> None:
    with open_told(browser, told(6), SMALL_WINDOW, moves=True) as page:
        page.clock.install()
        sign = page.locator("#moment")
        expect(sign).to_be_hidden()
        lead(page, 2)
        tell(page, [1, "out", 3, "late: no reply within 1 s", 0], [2, "leader", 2, "", 1234])
        expect(sign).to_have_text("OutPlayer 3late: no reply within 1 s")
        expect(sign).to_have_attribute("data-colour", "3")
        page.clock.run_for(SHOWN_MS)
        expect(sign).to_have_text("New leaderPlayer 2leads with 1,234")
        expect(page.locator("#said")).to_have_text("New leader Player 2 leads with 1,234")
        page.clock.run_for(SHOWN_MS)
        expect(sign).to_be_hidden()


def test_moments_from_before_the_visit_are_not_told(browser: Browser) -> None:
    facts = told(6) | {"moments": {"latest": [[7, "level", None, "", 2]]}}
    with open_told(browser, facts, SMALL_WINDOW) as page:
        tell(page, [7, "level", None, "", 2], [8, "level", None, "", 3])
        expect(page.locator("#moment")).to_have_text("Level uplevel 3")


def test_moments_fit_with_the_longest_names(browser: Browser) -> None:
    for size in (SMALL_WINDOW, PHONE):
        with open_told(browser, told(6, wide=True), size) as page:
            tell(page, [1, "out", 3, "late: no reply within 1 s, and the connection was lost before the next hand", 0])
            box = page.locator("#moment").bounding_box()
            photograph(page, "moment")
            assert box is not None
            assert 0 <= box["x"] <= size[0] - box["width"]
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_sound_is_off_until_it_is_turned_on(browser: Browser) -> None:
    with open_told(browser, told(6), SMALL_WINDOW) as page:
        page.clock.install()
        page.evaluate(f"({SILENT})()")
        tell(page, [1, "level", None, "", 2])
        expect(page.locator("#moment")).to_have_text("Level uplevel 2")
        assert page.evaluate("notes") == 0
        page.keyboard.press("s")
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("notes") == 2  # so that the host hears that it works
        page.clock.run_for(SHOWN_MS)
        expect(page.locator("#moment")).to_be_hidden()
        tell(page, [2, "out", 1, "broke", 0])
        expect(page.locator("#moment")).to_be_visible()
        assert page.evaluate("notes") == 5
        page.locator("#sound").click()
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")


def test_slow_motion_is_named_with_its_reason(browser: Browser) -> None:
    facts = told(6)
    with open_told(browser, facts, SMALL_WINDOW) as page:
        line = page.locator("#slow")
        expect(line).to_be_hidden()
        for slow, words in (
            (["out", 3, ""], "Slow motion: how Player 3 goes out"),
            (["leader", 2, ""], "Slow motion: how Player 2 took the lead"),
            (["pot", 1, ""], "Slow motion: the largest pot so far, won by Player 1"),
            (["rare", 1, "four of a kind"], "Slow motion: four of a kind, by Player 1"),
        ):
            page.evaluate("(table) => tell({ table })", facts["table"] | {"slow": slow})
            expect(line).to_have_text(words)
        page.evaluate("(table) => tell({ table })", facts["table"])
        expect(line).to_be_hidden()
