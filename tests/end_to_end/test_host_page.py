"""The host's page in a real browser: by mouse, by key, on a phone, and over two tournaments in a row."""

import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from select import select

from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.browser import (
    PHONE,
    Eyes,
    LinePlayer,
    line_players,
    line_with,
    open_eyes,
    photograph,
    started_casino,
)
from tests.end_to_end.hosted import PORTS

SERVE = ("serve", "stud", *PORTS, "--page-port", "0", "--limit", "600", "--no-journal", "--hands", "1000", "--fast")


@dataclass
class Host:
    """A hosted tournament with a desk, and a browser."""

    eyes: Eyes
    token: str
    line_port: int

    def enter(self, page: Page, token: str | None = None) -> None:
        page.get_by_label("Token, which the dealer's terminal showed").fill(token or self.token)
        page.keyboard.press("Enter")


@contextmanager
def hosted(browser: Browser, *words: str) -> Iterator[Host]:
    """A tournament whose lobby is open."""
    with started_casino(*SERVE, *words) as process:
        token = line_with(process, "desk token").split()[-1] if "--desk" in words else ""
        line_port = int(line_with(process, "lines of text").rstrip(")\n").split()[-1])
        with open_eyes(browser, line_with(process, "For browsers").split()[-1]) as eyes:
            yield Host(eyes, token, line_port)


def confirm(page: Page, yes: str) -> None:
    """Agree to what the dialog asks."""
    page.get_by_role("dialog").get_by_role("button", name=yes, exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_without_a_desk_there_is_no_host_page(browser: Browser) -> None:
    with hosted(browser, "--wait", "1000") as host:
        page = host.eyes.open()
        expect(page.locator("#lobby")).to_be_visible()
        answer = page.request.get(f"{host.eyes.url}host")
        assert answer.status == 404


def test_the_host_runs_a_tournament_from_the_page(browser: Browser) -> None:
    with hosted(browser, "--desk") as host:
        projector = host.eyes.open()
        expect(projector.get_by_role("button", name="Start", exact=True)).to_have_count(0)
        page = host.eyes.open((1280, 720), fragment="host")
        host.enter(page, "wrong")
        expect(page.locator("#login-answer")).to_have_text("this is not the token that the dealer's terminal shows")
        host.enter(page)
        expect(page.locator("#none")).to_have_text("Nobody is here yet.")
        expect(page.locator("#login")).to_be_hidden()
        names = ("Amit", "Brian", "Carlos")
        with line_players(host.line_port, *(f"student-{name}:{name}" for name in names)) as players:
            expect(page.locator("#players tr")).to_have_count(3)  # without a reload
            expect(page.locator("#players")).to_contain_text("student-Amit · 127.0.0.1:")
            start(page)
            photograph(page, "host")
            pause_and_search(page)
            remove_brian(page)
            fold_all_but_one(players)
            let_brian_in(page, host.line_port)
            tell(page, projector)
            pace_and_end(page)


def test_a_silent_connection_is_opened_anew(browser: Browser) -> None:
    """A laptop that slept, or a network that forgot the connection, tells the browser nothing."""
    with hosted(browser, "--desk") as host:
        page = host.eyes.open((1280, 720), fragment="host")
        page.clock.install()
        host.enter(page)
        expect(page.locator("#none")).to_have_text("Nobody is here yet.")
        with page.expect_request("**/host/events"):
            page.clock.run_for(60_000)
        expect(page.locator("#link")).to_have_text("")


def start(page: Page) -> None:
    """Start the tournament, after a question that is first left without an answer."""
    page.get_by_role("button", name="Start", exact=True).click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Start", exact=True).click()
    confirm(page, "Start")
    expect(page.locator("#answer")).to_have_text("The tournament starts with 3 players.")
    expect(page.locator("#phase")).to_have_text("Playing")


def pause_and_search(page: Page) -> None:
    """Pause with a key, which is no key while the host types."""
    page.locator("#main").focus()
    page.keyboard.press("Space")
    expect(page.locator("#answer")).to_have_text("Every table finishes its hand, and then waits.")
    expect(page.locator("#phase")).to_have_text("Paused")
    page.keyboard.press("/")
    page.keyboard.type("brian +n?")
    expect(page.locator("#none")).to_have_text("No player fits.")
    page.get_by_label("Search").fill("STUDENT-bR")
    expect(page.locator("#players tr")).to_have_count(1)
    expect(page.locator("#people-count")).to_have_text("1 of 3")


def remove_brian(page: Page) -> None:
    """Remove a player, at first with a reason that cannot be told."""
    page.get_by_role("button", name="Remove Brian").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("the login is another's")
    confirm(page, "Remove")
    expect(page.locator("#answer")).to_contain_text("Not done: the reason may not hold login")
    page.get_by_role("button", name="Remove Brian").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("<b>plays twice</b>")
    confirm(page, "Remove")
    expect(page.locator("#answer")).to_have_text("Brian is out after the hand under way at its table.")
    expect(page.locator("#players .state")).to_have_text("leaves after this hand")
    assert page.locator("#players b").count() == 0


def fold_all_but_one(players: Sequence[LinePlayer]) -> None:
    """End the first hand: each player folds when it is asked, until one is left."""
    playing = list(players)
    while len(playing) > 1:
        asked = select(playing, (), ())[0][0]
        asked.wait_for_turn()
        asked.say("fold")
        playing.remove(asked)


def let_brian_in(page: Page, line_port: int) -> None:
    """Let the player in again who was removed; its program logs in during the pause."""
    page.get_by_role("button", name="Let Brian in again").click()
    expect(page.locator("#answer")).to_contain_text("Brian is let in; as soon as its program logs in again")
    expect(page.locator("#players .state")).to_have_text("let in, must log in again")
    with line_players(line_port, "student-Brian:Brian"):
        expect(page.locator("#players .state")).to_have_text("here")


def tell(page: Page, projector: Page) -> None:
    """Show a message to all, and take it away."""
    page.get_by_label("Message on the page").fill("<b>Lunch</b> until 13:00")
    page.keyboard.press("Enter")
    expect(projector.locator("#message")).to_have_text("<b>Lunch</b> until 13:00")
    page.get_by_role("button", name="Take away").click()
    expect(projector.locator("#message")).to_be_hidden()


def pace_and_end(page: Page) -> None:
    """Ask for a show, then end the tournament."""
    page.get_by_label("A show of").fill("3")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator("#answer")).to_have_text("The rest of the tournament takes about 3 min.")
    expect(page.locator("#tempo")).to_have_text(re.compile(r"A show, [0-3]\.\d min left"))
    page.get_by_role("button", name="End", exact=True).click()
    confirm(page, "End")
    expect(page.locator("#phase")).to_have_text("Over")  # at once: in the pause, no hand is under way


def test_faults_and_refused_logins_come_with_their_bytes(browser: Browser) -> None:
    hostile = "Amit-id:<img src=x onerror=alert(1)>"
    with hosted(browser, "--desk", "--lives", "2") as host:
        page = host.eyes.open(PHONE, "light", "host")
        host.enter(page)
        expect(page.locator("#cockpit")).to_be_visible()
        with line_players(host.line_port, "Amit-id:Amit", "Brian-id:Brian", hostile) as (*players, _):
            expect(page.locator("#logins-list")).to_contain_text(f"{hostile}\\n")
            expect(page.locator("#logins-count")).to_have_text("1")
            page.get_by_role("button", name="Start", exact=True).click()
            confirm(page, "Start")
            expect(page.locator("#phase")).to_have_text("Playing")
            for player in players:
                player.say("bet:all")  # one of the two was asked, and the other speaks unasked
            expect(page.locator("#incidents-list")).to_contain_text("sent bet:all\\n")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            photograph(page, "host-phone")


def test_the_token_stays_in_no_place_and_the_cookie_can_be_given_back(browser: Browser) -> None:
    with hosted(browser, "--desk") as host:
        page = host.eyes.open(fragment="host")
        sent: list[str] = []
        page.on("request", lambda request: sent.append(json.dumps([request.url, request.headers])))
        host.enter(page)
        expect(page.locator("#cockpit")).to_be_visible()
        (cookie,) = page.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/host")
        assert page.evaluate("document.cookie.length + localStorage.length + sessionStorage.length") == 0
        assert host.token not in page.content() + page.url + "".join(sent) + cookie["value"]
        assert not any("referer" in request.lower() for request in sent)
        page.reload()
        expect(page.locator("#cockpit")).to_be_visible()  # the token is given once
        page.get_by_role("button", name="Lock", exact=True).click()
        expect(page.locator("#login")).to_be_visible()
        assert page.context.cookies() == []
        page.reload()
        expect(page.locator("#login")).to_be_visible()


IN_A_ROW = ("serve", "stud", *PORTS, "--page-port", "0", "--limit", "600", "--fast", "--hands", "1", "--desk")


def fetched(page: Page, button: str) -> tuple[str, Path]:
    """Press a button that downloads; the file's name for the host, and where it is."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    return download.value.suggested_filename, download.value.path()


def test_two_tournaments_in_a_row(browser: Browser, tmp_path: Path) -> None:
    journal = tmp_path / "friday.journal"
    with started_casino(*IN_A_ROW, "--journal", journal) as process:
        token = line_with(process, "desk token").split()[-1]
        port = int(line_with(process, "lines of text").rstrip(")\n").split()[-1])
        with open_eyes(browser, line_with(process, "For browsers").split()[-1]) as eyes:
            host = Host(eyes, token, port)
            projector, page = eyes.open(), eyes.open((1280, 720), fragment="host")
            host.enter(page)
            expect(page.locator("#files")).to_be_hidden()
            with line_players(port, "a:Amit", "b:Brian") as players:
                expect(page.locator("#players tr")).to_have_count(2)
                page.get_by_role("button", name="Start", exact=True).click()
                confirm(page, "Start")
                expect(projector.locator("#table-view")).to_be_visible()
                expect(page.locator("#files-note")).to_contain_text("for you alone")
                assert fetched(page, "Journal")[0] == "friday-so-far.journal"
                page.get_by_role("button", name="Next tournament", exact=True).click()
                confirm(page, "Next tournament")
                expect(page.locator("#phase")).to_have_text("Playing, then the next")
                fold_all_but_one(players)
            expect(page.locator("#phase")).to_have_text("Lobby")  # the same page, without a new login
            expect(page.locator("#game")).to_have_text("three-card stud, tournament 2")
            expect(page.locator("#awaited")).to_have_text("Expected, and not here yet: Amit (id=a), Brian (id=b).")
            expect(projector.locator("#here li.awaited")).to_have_count(2)
            name, report = fetched(page, "Report")
            assert name == "friday-report.zip"
            with zipfile.ZipFile(report) as packed:
                assert "friday/index.html" in packed.namelist()
            assert fetched(page, "Grades")[0] == "friday-grades.csv"
            with line_players(port, "b:Brian", "c:Carlos"):
                here = projector.locator("#here li:not(.awaited)")
                expect(here).to_have_count(2)
                colours = [item.locator(".mark").get_attribute("data-colour") for item in here.all()]
                assert colours == ["1", "2"], "Brian keeps his colour, and a newcomer gets the next"
                page.get_by_role("button", name="Start", exact=True).click()
                confirm(page, "Start")
                expect(projector.locator("#seats li")).to_have_count(2)
                expect(projector.locator("#seats")).to_contain_text("Carlos")
                expect(page.get_by_label("Tournament", exact=True)).to_have_value("2")
