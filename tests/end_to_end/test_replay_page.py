"""``casino replay --page``: a journal in a real browser, and flags that do not fit."""

import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.dealer.support.golden_replays import write_stud
from tests.end_to_end.browser import line_with, open_eyes, photograph, started
from tests.end_to_end.casino import casino, run


def test_journal_is_shown_in_a_browser_until_ctrl_c(browser: Browser, tmp_path: Path) -> None:
    path = write_stud(tmp_path / "friday.journal")
    with started(casino("replay", path, "--page", "--page-port", "0", "--speed", "20")) as process:
        with open_eyes(browser, line_with(process, "For browsers").split()[-1]) as eyes:
            page = eyes.open()
            expect(page.get_by_role("heading", level=1)).to_contain_text("replay of friday.journal")
            expect(page).to_have_title("Casino Day: replay")
            expect(page.locator("#log li").first).to_be_visible()
            expect(page.locator("#street")).to_have_text(re.compile(r"hand \d+"))
            photograph(page, "replay")
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--page", "--json"), "--page shows the journal to browsers; leave out --json, --csv and --export"),
        (("--page", "--table", "0"), "--page shows all tables, of which each browser chooses one"),
        (("--open-cards",), "--host, --page-port and --open-cards are for the page of a replay; give --page too"),
        (("--page", "--page-port", "0", "--hand", "99"), "there is no hand 99 in "),
    ],
)
async def test_what_does_not_fit_is_refused(words: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    outcome = await run("replay", write_stud(tmp_path / "a.journal"), *words)
    assert outcome.code == 2
    assert outcome.complaint[0].startswith(f"casino: {complaint}")
