"""A table of hold'em on the page in a real browser: its parts do not overlap, and suits have the game's names."""

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
from tests.end_to_end.told_page import row

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
