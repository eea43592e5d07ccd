"""The host's page and the projector's over two tournaments in a row, in a real browser."""

import zipfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.browser import line_with, open_eyes, started
from tests.end_to_end.casino import casino
from tests.end_to_end.hosted import PORTS
from tests.end_to_end.test_host_page import Host, confirm, fold_all_but_one, line_players

SERVE = ("serve", "stud", *PORTS, "--page-port", "0", "--limit", "600", "--fast", "--hands", "1", "--desk")


def fetched(page: Page, button: str) -> tuple[str, Path]:
    """Press a button that downloads; the file's name for the host, and where it is."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    return download.value.suggested_filename, download.value.path()


def test_two_tournaments_in_a_row(browser: Browser, tmp_path: Path) -> None:
    journal = tmp_path / "friday.journal"
    with started(casino(*SERVE, "--journal", journal)) as process:
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
