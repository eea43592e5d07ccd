"""The podium: three steps, a crown, and what else is honoured, for names of any length."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

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
