"""What fills the page during play: everything, one table as large as the screen, or all tables."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.browser import MEASURE, PHONE, PROJECTOR, Scheme, overlaps, photograph
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
