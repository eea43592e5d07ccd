"""A table of hold'em and the lobby in a real browser: no parts overlap, and names are as they should be."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from dealer.audit.hands import play_so_far
from dealer.audit.win_chances import run_outs, win_chances
from dealer.ledger.played_hand import Deal, HandRecord
from dealer.lobby.player import Player
from dealer.telling.hand_events import HandEvents
from dealer.web.table_view import CardVisibility, Shown, Skipped, table_facts
from protocol.games.base import FOLD, Bet
from protocol.games.holdem import HoldemGame, HoldemMatch
from tests.docs.pages import page as docs_page
from tests.end_to_end.browser import (
    MEASURE,
    PHONE,
    PROJECTOR,
    Eyes,
    LinePlayer,
    line_with,
    open_eyes,
    overlaps,
    photograph,
    started_casino,
)
from tests.end_to_end.hosted import PORTS
from tests.end_to_end.told_page import Facts, open_told, row, told

LAPTOP = (1280, 720)
GAME = HoldemGame(stack=1000)
VISIBLE = CardVisibility(during=False, after=True)

#: Long names, and large stacks: what takes most room.
NAMES = ["Bluffing Beatrice", "W" * 16, "Al", "Constantinopolitan", "\u0634\u0637\u0631\u0646\u062c", "Steph & Co"]

SHOW = """async ([scene, table]) => {
  const { showTable } = await import("./table.js");
  document.documentElement.dataset.phase = "play";
  showTable(scene, table);
}"""


@pytest.fixture(scope="module")
def eyes(browser: Browser) -> Iterator[Eyes]:
    """A dealer's page, to which the test gives tables."""
    words = ("--fast", "--page-port", "0", "--no-journal", "--seats", "4", "--limit", "60")
    with started_casino("serve", "holdem", *PORTS, *words) as process:
        with open_eyes(browser, line_with(process, "For browsers").split()[-1]) as eyes:
            yield eyes


def shown_hand(seats: int, how: str) -> dict[str, Any]:
    """A hand as the page is told it: under way, all in with chances and side pots, or over."""
    chance = Random(seats)
    match = GAME.start(seats)
    assert isinstance(match, HoldemMatch)
    match = match.__class__(
        tuple(1_000_000 // (1 + seat) for seat in range(seats)),
        match.seated,
        betting=match.betting,
        blinds=match.blinds,
    )
    deck = bytes(chance.sample(range(52), 52))
    deal = Deal(0, 123_456, 1, tuple(range(seats)), match, deck)
    actions: list[tuple[int, int, int | None]] = []
    hand = deal.begin(GAME)
    while (seat := hand.to_act) is not None and not (how == "under way" and len(actions) >= seats + 1):
        legal = hand.legal()
        fold = how != "under way" and seats > 3 and len(actions) == 1
        action = (
            FOLD if fold else Bet(legal.to_call if how == "under way" else max(legal.raises, default=legal.to_call))
        )
        actions.append((seat, action.amount if isinstance(action, Bet) else -1, 1234))
        hand = hand.apply(action)
    record = HandRecord(deal, actions, [])
    steps, last = play_so_far(deal.begin(GAME), record)
    streets = tuple(run_outs(steps, last, GAME)) if how != "under way" else ()
    people = [Player(f"p{number}", NAMES[number % len(NAMES)], "") for number in range(seats)]
    stage = {"all in": 1, "over": len(streets)}.get(how, 0)
    events = [*HandEvents.of_deal(deal).steps(steps, last)]
    ended = record if how != "under way" else None
    shown = Shown(deal.number, events, ended, streets, stage, Skipped(12_345, 1, 98_765))
    chances = win_chances(streets[stage], seats) if how == "all in" else None
    return {
        "scene": {"players": [player.avatar for player in people]},
        "table": {"table": 0, "auto": True, **table_facts(shown, GAME, VISIBLE, chances)},
    }


def open_lobby(eyes: Eyes, size: tuple[int, int]) -> Page:
    """The dealer's page when it has heard of the lobby: what it is given before that, the lobby would take away."""
    page = eyes.open(size)
    expect(page.locator("#lobby")).to_be_visible()
    return page


@pytest.mark.parametrize("size", [LAPTOP, PROJECTOR, PHONE])
def test_nothing_overlaps(eyes: Eyes, size: tuple[int, int]) -> None:
    page = open_lobby(eyes, size)
    for seats in (2, 6, 10):
        for how in ("under way", "all in", "over"):
            told = shown_hand(seats, how)
            page.evaluate(SHOW, [told["scene"], told["table"]])
            photograph(page, f"holdem-{seats}-{how.replace(' ', '-')}")
            measured = page.evaluate(MEASURE)
            assert (overlaps(measured["parts"]), measured["cut"], measured["wide"]) == ([], [], False), (seats, how)
            left, top, right, bottom = measured["view"]
            outside = [
                part
                for part in measured["parts"]
                if part[2] < left or part[3] < top or part[4] > right or part[5] > bottom
            ]
            assert outside == [], (seats, how)


SHOW_LEADERS = """async ([scene, board]) => {
  const { showLeaders } = await import("./leaders.js");
  document.documentElement.dataset.phase = "play";
  document.documentElement.classList.toggle("many", board.rows.length > 16);
  showLeaders(scene, board, null);
  const overflows = (cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const [letters, box] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
    return cell.scrollWidth > cell.clientWidth + 1 || letters.left < box.left - 1 || letters.right > box.right + 1;
  };
  return [...document.querySelectorAll("#rows td")]
    .filter((cell) => cell.offsetWidth && cell.textContent && overflows(cell))
    .map((cell) => cell.textContent);
}"""


@pytest.mark.parametrize("size", [LAPTOP, PROJECTOR, PHONE])
def test_large_losses_fit_the_leader_board(eyes: Eyes, size: tuple[int, int]) -> None:
    """With equal stacks in every hand, chips fall below zero."""
    page = open_lobby(eyes, size)
    lost = {"climbed": -12, "gained": -87_654, "won": 9_876, "reply": 12.3}
    told = {"rows": [row(number, -98_765 - number, **lost) for number in range(len(NAMES))]}
    assert page.evaluate(SHOW_LEADERS, [{"players": NAMES, "measure": "chips", "commitment": "c"}, told]) == []
    expect(page.locator("#rows .chips").first).to_have_text("\N{MINUS SIGN}98,765")


@pytest.mark.parametrize("size", [LAPTOP, PROJECTOR, PHONE, (1100, 700), (720, 900), (320, 640)])
def test_places_lost_and_won_fit_their_column(eyes: Eyes, size: tuple[int, int]) -> None:
    page = open_lobby(eyes, size)
    climbed = [-12, 14, 0, -3]
    for count in (24, 200):
        rows = [row(number, 1_000, climbed=climbed[number % 4], won=98, reply=12.3) for number in range(count)]
        scene = {"players": NAMES * 40, "measure": "chips", "commitment": str(count)}
        assert page.evaluate(SHOW_LEADERS, [scene, {"rows": rows}]) == []
        photograph(page, f"places-{count}")


@pytest.mark.parametrize("count", [6, 24, 200])
@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_chips_of_many_digits_fit_the_leader_board(eyes: Eyes, size: tuple[int, int], count: int) -> None:
    page = open_lobby(eyes, size)
    chips = [8 * 10**digits // 9 for digits in range(4, 13)]
    rows = [
        row(number, chips[number % 9] * (-1 if number % 2 else 1), gained=chips[number % 9], won=98, reply=12.3)
        for number in range(count)
    ]
    scene = {"players": [f"Player {number}" for number in range(count)], "measure": "chips", "commitment": str(count)}
    assert page.evaluate(SHOW_LEADERS, [scene, {"rows": rows}]) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#rows .chips").nth(1)).to_have_text("\N{MINUS SIGN}88,888")
    expect(page.locator("#rows .chips").nth(4)).to_have_text("88.9M")
    expect(page.locator("#rows .chips").nth(4)).to_have_attribute("title", "88,888,888")
    photograph(page, f"digits-{count}")


def test_skipped_hands_are_summed_up(eyes: Eyes) -> None:
    page = open_lobby(eyes, LAPTOP)
    told = shown_hand(2, "over")
    for skipped, words in (
        ((12_345, 0, 98_765), f"12,345 hands skipped, {NAMES[0]} +98,765"),
        ((1, None, 0), "1 hand skipped"),
        (None, ""),
    ):
        page.evaluate(SHOW, [told["scene"], told["table"] | {"skipped": skipped}])
        expect(page.locator("#skipped")).to_have_text(words)


def test_chances_button_all_in_and_side_pots_are_shown(eyes: Eyes) -> None:
    page = open_lobby(eyes, LAPTOP)
    told = shown_hand(6, "all in")
    page.evaluate(SHOW, [told["scene"], told["table"]])
    live = [seat for seat in told["table"]["seats"] if "chance" in seat]
    expect(page.locator(".button")).to_have_count(1)
    expect(page.locator(".stack", has_text="all in")).to_have_count(sum("allIn" in seat for seat in live))
    expect(page.locator('[data-state="chance"] .did', has_text="%")).to_have_count(len(live))
    expect(page.locator("#how")).to_have_text("All in: chances to win")
    expect(page.locator("#pots")).to_contain_text("main")
    assert page.locator("#pots").inner_text().count("side") == len(told["table"]["pots"]) - 1


@pytest.mark.parametrize("preset", ["cornell", "royale"])
def test_suits_are_named_as_in_the_game(browser: Browser, preset: str) -> None:
    named = preset == "cornell"
    options = ("--preset", preset, "--no-journal", "--seats", "2", "--limit", "60", "--open-cards")
    with started_casino("serve", "holdem", *PORTS, "--fast", "--page-port", "0", *options) as process:
        port = line_with(process, "lines of text").rstrip(")\n").split()[-1]
        url = line_with(process, "For browsers").split()[-1]
        with open_eyes(browser, url) as eyes:
            page = eyes.open(LAPTOP)
            players = [LinePlayer(int(port), f"{name}:{name}") for name in ("amit", "brian")]
            expect(page.locator("#seats .card:not(.back)")).to_have_count(4)
            names = ["Clarkson", "Gries", "Dijkstra", "George"] if named else []
            expect(page.locator("#suits li")).to_have_text(names)
            expect(page.locator("#suits")).to_be_visible(visible=named)
            suits = dict(zip("SHDC", names or ["spades", "hearts", "diamonds", "clubs"], strict=True))
            for card in page.locator("#seats .card").all():
                label = card.get_attribute("aria-label") or ""
                assert label.endswith(f" of {suits[card.get_attribute('data-suit') or '']}, from the hole")
            photograph(page, f"suits-{preset}")
            for player in players:
                player.leave()


def test_the_lobby_names_the_port_of_every_protocol(browser: Browser) -> None:
    options = ("--reset-stacks", "--acpc-port", "0", "--no-journal", "--seats", "2")
    with started_casino("serve", "holdem", *PORTS, "--fast", "--page-port", "0", *options) as process:
        lines, acpc = [
            line_with(process, text).rstrip(")\n").split()[-1] for text in ("lines of text", "Annual Computer")
        ]
        with open_eyes(browser, line_with(process, "For browsers").split()[-1]) as eyes:
            page = eyes.open(PHONE)
            expect(page.locator("#ports .lines")).to_have_text(
                [
                    f"Programs that send lines of text: port {lines}",
                    f"Programs of the Annual Computer Poker Competition: port {acpc}",
                ]
            )
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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
        without = [port for port in facts["scene"]["ports"] if port["name"] != "people_port"]
        page.evaluate("(scene) => tell({ scene })", facts["scene"] | {"ports": without})
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
