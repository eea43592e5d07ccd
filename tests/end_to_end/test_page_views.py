"""What fills the page during play: everything, one table as large as the screen, or all tables.

Then the podium and moments: steps, honours, words that are read aloud, and hands in slow motion.
"""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.browser import MEASURE, PHONE, PROJECTOR, SILENT, Scheme, overlaps, photograph
from tests.end_to_end.told_page import open_told, table_of, told

LAPTOP, LARGE = (1280, 720), (3840, 2160)

#: Seats, hole cards, up cards and cards on the board, as hold'em, stud and blockhead have them.
TABLES = [(2, 2, 0, 5), (6, 2, 0, 5), (10, 2, 0, 5), (10, 1, 4, 0), (17, 1, 2, 0)]

#: The height of the smallest card in parts of the window's.
CARD_HEIGHT = """Math.min(...[...document.querySelectorAll("#seats .card, #board-cards .card")]
  .map((card) => card.getBoundingClientRect().height)) / innerHeight"""


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        (LAPTOP, "dark"),
        (PHONE, "light"),
        (PROJECTOR, "light"),
        (LARGE, "dark"),
    ],
)
def test_every_card_is_a_twelfth_of_the_height_where_only_the_table_is_shown(
    browser: Browser, size: tuple[int, int], scheme: Scheme
) -> None:
    with open_told(browser, told(24, wide=True), size, scheme) as page:
        page.keyboard.press("t")
        for seats, hole, up, board in TABLES:
            table = table_of(seats, hole, up, board)
            page.evaluate("(table) => tell({ table })", table)
            expect(page.locator("#seats .seat")).to_have_count(seats)
            photograph(page, f"table-only-{seats}-{hole + up}")
            measured = page.evaluate(MEASURE)
            assert page.evaluate(CARD_HEIGHT) > 0.9999 / 12, (seats, hole, up)
            assert (overlaps(measured["parts"]), measured["wide"]) == ([], False), (seats, hole, up)
            if size != PHONE:
                left, top, right, bottom = measured["view"]
                outside = [
                    part
                    for part in measured["parts"]
                    if part[2] < left or part[3] < top or part[4] > right or part[5] > bottom
                ]
                assert outside == [], (seats, hole, up)


def test_views_change_by_key_and_by_button(browser: Browser) -> None:
    with open_told(browser, told(24), LAPTOP) as page:
        table, tables, leaders = page.locator("#table-view"), page.locator("#tables"), page.locator("#leaders")

        def expect_shown(*shown: bool) -> None:
            for part, visible in zip((leaders, table, tables), shown, strict=True):
                expect(part).to_be_visible(visible=visible)

        expect_shown(True, True, True)
        page.keyboard.press("t")
        expect_shown(False, True, False)
        expect(page.locator("#only-table")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("t")
        expect_shown(True, True, True)
        page.locator("#all-tables").click()
        expect_shown(False, False, True)
        page.keyboard.press("Escape")
        expect_shown(True, True, True)
        page.locator("#table").press("t")  # which chooses a table there
        expect_shown(True, True, True)


def test_pictures_of_all_tables_show_leader_and_pot_and_open_their_table(browser: Browser) -> None:
    with open_told(browser, told(24), LAPTOP) as page:
        page.keyboard.press("a")
        expect(page.locator("#pictures li")).to_have_count(3)
        second = page.locator("#pictures li").nth(1)
        expect(second.locator(".leader")).to_contain_text("Player 8")
        expect(second.locator(".leader b")).to_have_text("1,680")
        expect(second.locator("text")).to_have_text("80")
        second.locator("button").click()
        expect(page.locator("#table-view")).to_be_visible()
        assert page.evaluate("location.hash") == "#table=1"
        expect(page.locator("#tables")).to_be_hidden()


@pytest.mark.parametrize("size", [LAPTOP, PHONE, LARGE])
def test_pictures_of_many_tables_fit(browser: Browser, size: tuple[int, int]) -> None:
    with open_told(browser, told(200, table_size=6, wide=True), size) as page:
        page.keyboard.press("a")
        expect(page.locator("#pictures li")).to_have_count(34)
        photograph(page, "pictures-200")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        inside = "([...document.querySelectorAll('#pictures li')].at(-1).getBoundingClientRect().bottom <= innerHeight)"
        assert page.evaluate(inside) or size == PHONE


def test_final_table_and_heads_up_are_named(browser: Browser) -> None:
    facts = told(24, table_size=6)
    with open_told(browser, facts, LAPTOP) as page:
        expect(page.locator("#table-h")).to_have_text("Table 0")
        one = facts["board"] | {"tables": facts["board"]["tables"][:1]}
        for stage, title in ((None, "The table"), ("final", "Final table"), ("heads-up", "Heads-up")):
            page.evaluate("(told) => tell(told)", {"board": one | {"stage": stage}, "table": facts["table"]})
            expect(page.locator("#table-h")).to_have_text(title)
        expect(page.locator("#tables")).to_be_hidden()


def test_table_is_named_by_the_newest_board_whatever_waits_to_be_drawn(browser: Browser) -> None:
    """The parts of the page are drawn one a frame; newer news come after none, one or more of these frames."""
    facts = told(24, table_size=6)
    several = {"board": facts["board"], "table": facts["table"]}
    two = several | {"board": facts["board"] | {"tables": facts["board"]["tables"][:1], "stage": "heads-up"}}
    with open_told(browser, facts, LAPTOP) as page:
        titles = page.evaluate(
            """async ([several, two]) => {
              const frames = async (count) => {
                while (count--) await new Promise(requestAnimationFrame);
              };
              const titles = [];
              for (let between = 0; between < 8; between++) {
                tell(several);
                await frames(between);
                tell(two);
                await frames(30);
                titles.push(document.getElementById("table-h").textContent);
              }
              return titles;
            }""",
            [several, two],
        )
    assert titles == ["Heads-up"] * 8


def test_all_tables_are_left_when_there_is_one(browser: Browser) -> None:
    facts = told(24)
    with open_told(browser, facts, LAPTOP) as page:
        page.keyboard.press("a")
        expect(page.locator("#tables")).to_be_visible()
        expect(page.locator("#leaders")).to_be_hidden()
        one = facts["board"] | {"tables": facts["board"]["tables"][:1], "stage": "final"}
        page.evaluate("(board) => tell({ board })", one)
        for key in ("", "a"):
            if key:
                page.keyboard.press(key)
            expect(page.locator("#table-view")).to_be_visible()
            expect(page.locator("#leaders")).to_be_visible()


def test_a_short_state_is_whole_beside_a_long_name(browser: Browser) -> None:
    facts = told(24, wide=True)
    for row in facts["board"]["rows"][12:]:
        row["state"] = "out"
    facts["news"]["out"] = [[player, 2, 0, "broke"] for player in range(12, 24)]
    cut = """(it) => {
      const text = document.createRange();
      text.selectNodeContents(it);
      return text.getBoundingClientRect().width > it.getBoundingClientRect().width + 0.05;
    }"""
    with open_told(browser, facts, LAPTOP) as page:
        states = page.locator("#rows tr[data-state=out] .state")
        expect(states).to_have_text(["out in hand 2"] * 12)
        assert [state.evaluate(cut) for state in states.all()] == [False] * 12


def _marks(page: Page, where: str, count: int) -> list[list[str]]:
    """The colours and shapes of so many elements, when all are there: large parts are drawn over several frames."""
    expect(page.locator(where)).to_have_count(count)
    told: list[list[str]] = page.evaluate(
        "(where) => [...document.querySelectorAll(where)].map((it) => [it.dataset.colour, it.dataset.shape])", where
    )
    return told


def test_colours_belong_to_players(browser: Browser) -> None:
    """The same in leader board, table, curves and pictures; eight colours, in four shapes."""
    with open_told(browser, told(40), PROJECTOR) as page:
        rows = _marks(page, "#rows .mark", 40)
        assert len({tuple(mark) for mark in rows}) == 32
        assert _marks(page, "#seats .mark", 8) == rows[:8]
        assert _marks(page, "#labels li", 12) == rows[:12]
        assert _marks(page, "#pictures circle", 40) == rows


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
