"""``casino replay``: journals of real leagues, whole, cut and damaged; and the file that replays one in a browser."""

import csv
import json
import os
import pty
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
import trio
from playwright.sync_api import Browser, Page, expect

from dealer.errors import BAD_USAGE, FAILED
from dealer.replay.journal_reader import Choice
from dealer.replayer.command import write_replay
from tests.dealer.support.golden_replays import FOLDER, write_blockhead, write_hosted, write_stud
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.replay_files import GAMES, write_random
from tests.end_to_end.browser import PHONE, Eyes, line_with, open_eyes, photograph, started_casino
from tests.end_to_end.casino import ENVIRONMENT, Outcome, casino, run
from tests.end_to_end.terminal import open_terminal
from tests.patience import PATIENCE

#: The heading of a hand.
HAND = re.compile(r"^Hand \d+, table \d+", re.MULTILINE)


async def replay(*words: str | Path) -> Outcome:
    return await run("replay", *words)


@pytest.fixture
def stud(tmp_path: Path) -> Path:
    return write_stud(tmp_path / "stud.journal")


@pytest.mark.parametrize(
    "game", [("stud", "tight", "caller", "maniac"), ("blockhead", "alpha", "beta", "--games", "2")]
)
async def test_a_league_can_be_watched_and_exported(game: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "league.journal"
    assert (await run("league", *game, "--hands", "5", "--seed", "x", "--limit", "30", "--journal", path)).code == 0
    hands = [record for record in read_raw(path) if record["type"] == "hand"]
    watched, lines, table = [await replay(path, *words) for words in ([], ["--json"], ["--csv"])]
    assert [(outcome.code, outcome.err) for outcome in (watched, lines, table)] == [(0, "")] * 3
    assert len(HAND.findall(watched.out)) == len(hands)
    assert "The end of the tournament." in watched.out
    assert [json.loads(line)["type"] for line in lines.out.splitlines()].count("hand") == len(hands)
    rows = [row for row in csv.DictReader(StringIO(table.out)) if row["microseconds"]]
    assert len(rows) == sum(microseconds is not None for record in hands for *_, microseconds in record["actions"])


async def test_replay_to_a_file_is_the_golden_text_without_pauses(stud: Path) -> None:
    outcome = await replay(stud, "--speed", "0.000001")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (FOLDER / "stud.txt").read_text("utf-8")


async def test_an_unfinished_tournament_seen_from_a_seat(tmp_path: Path) -> None:
    outcome = await replay(write_blockhead(tmp_path / "a.journal"), "--seat", "0")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == (FOLDER / "blockhead_seen_from_seat_0.txt").read_text("utf-8")


@pytest.mark.parametrize("form", ["", "--json", "--csv"])
async def test_torn_end_is_reported_after_all_whole_hands(form: str, stud: Path) -> None:
    whole = await replay(stud, *form.split())
    stud.write_bytes(stud.read_bytes() + b"\x92\xc4\x04")
    outcome = await replay(stud, *form.split())
    assert outcome.code == 1
    assert outcome.complaint == [f"casino: {stud}: its end is torn (3 bytes behind the last whole record)"]
    assert outcome.out == whole.out


async def test_a_damaged_journal_is_shown_as_far_as_it_is_whole(stud: Path) -> None:
    data = bytearray(stud.read_bytes())
    data[data.index(b"stacks", data.index(b"stacks") + 1)] ^= 1  # in the second hand
    stud.write_bytes(data)
    outcome = await replay(stud)
    assert outcome.code == 1
    (complaint,) = outcome.complaint
    assert "was altered" in complaint
    assert len(HAND.findall(outcome.out)) == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--hand", "7"], "there is no hand 7: hands count from 1 to 6"),
        (["--hand", "7", "--json"], "there is no hand 7"),
        (["--table", "1"], "there is no table 1"),
        (["--seat", "nobody"], "there is no player 'nobody'"),
        (["--json", "--csv"], "choose one of --json, --csv and --export"),
        (["--hand", "0"], "--hand"),
        (["--speed", "-1"], "--speed"),
        (["--speed", "nan"], "--speed"),
    ],
)
async def test_replay_of_what_is_missing_exits_with_2(words: list[str], reason: str, stud: Path) -> None:
    outcome = await replay(stud, *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert reason in " ".join(outcome.err.replace("│", " ").split())
    if reason != words[0]:
        assert len(outcome.complaint) == 1


@pytest.mark.parametrize("content", [None, b"", b"no journal at all"])
async def test_a_file_that_is_no_journal_is_told_in_a_line(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "x"
    if content is not None:
        path.write_bytes(content)
    outcome = await replay(path)
    assert (outcome.code, outcome.out) == (BAD_USAGE if content is None else FAILED, "")
    assert len(outcome.complaint) == 1


async def test_a_terminal_of_plain_characters_gets_plain_cards(stud: Path) -> None:
    with trio.fail_after(PATIENCE):
        done = await trio.run_process(
            casino("replay", stud), capture_stdout=True, env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
        )
    assert b"(AS) 8C" in done.stdout
    assert b"(5C) 4C 2S" in done.stdout


async def test_an_interrupt_ends_a_replay_without_a_word(stud: Path) -> None:
    ours, theirs = pty.openpty()
    with trio.fail_after(PATIENCE):
        async with trio.lowlevel.FdStream(ours) as screen:
            process = await trio.lowlevel.open_process(
                casino("replay", stud, "--speed", "0.001"), stdin=theirs, stdout=theirs, stderr=theirs, env=ENVIRONMENT
            )
            os.close(theirs)
            seen = b""
            try:
                while b"q ends" not in seen:  # the first pause, of many minutes, is behind them
                    seen += await screen.receive_some()
                process.send_signal(signal.SIGINT)
                assert await process.wait() == 130
                with suppress(trio.BrokenResourceError):  # what a terminal says when its last program has left
                    async for data in screen:
                        seen += data
            finally:
                process.kill()
    assert b"Traceback" not in seen
    assert b"Street 2" not in seen


@pytest.mark.parametrize("form", ["", "--speed 0", "--json", "--csv"])
async def test_closed_output_pipe_is_no_error(form: str, stud: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        casino("replay", stud, *form.split()), stdout=writer, stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    os.close(writer)
    _, err = await trio.to_thread.run_sync(process.communicate, None, PATIENCE)
    assert (process.returncode, err) == (0, b"")


async def test_keys_step_through_hands_at_a_terminal(stud: Path) -> None:
    async with open_terminal("replay", stud, "--speed", "0.001") as terminal:
        await terminal.until("Hand 1,")
        await terminal.press(b"\x1b[B")
        await terminal.until("Hand 2,")
        await terminal.press(b"\x1b[D")
        await terminal.until("the end")
        await terminal.press(b"q")
        assert await terminal.ended() == 0


Started = Callable[..., Page]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of several tournaments."""
    folder = tmp_path_factory.mktemp("files")
    for name in GAMES:
        written(write_random(folder / f"{name}.journal", name), folder / f"{name}.html")
    written(write_stud(folder / "friday.journal"), folder / "friday.html")
    written(write_stud(folder / "friday.journal"), folder / "brian.html", seat="p1")
    written(write_hosted(folder / "tables.journal"), folder / "tables.html")
    return folder


def written(journal: Path, file: Path, seat: str | None = None) -> None:
    assert write_replay(journal, Choice(seat=seat), file) == 0


@pytest.fixture
def eyes(browser: Browser, files: Path) -> Iterator[Eyes]:
    """A browser without a network, which may read the files alone."""
    with open_eyes(browser, f"{files.as_uri()}/") as seen:
        yield seen


def shows(page: Page, hand: int, where: str) -> None:
    expect(page.locator("#street")).to_contain_text(f"hand {hand}")
    expect(page.locator("#where")).to_have_text(where)


def test_steps_bars_keys_and_lists(eyes: Eyes) -> None:
    page = eyes.open(fragment="friday.html")
    expect(page).to_have_title("Casino Day: replay of friday.journal")
    expect(page.get_by_role("heading", level=1)).to_contain_text("replay of friday.journal")
    shows(page, 1, "the deal")
    expect(page.locator(".seat")).to_have_count(4)
    page.get_by_role("button", name="Next action").click()
    expect(page.locator("#where")).to_contain_text("action 1 of")
    expect(page.locator("#log li")).to_have_count(1)
    expect(page.locator("#said")).to_contain_text("bets 5")
    page.keyboard.press("ArrowLeft")
    shows(page, 1, "the deal")
    page.keyboard.press("Shift+ArrowRight")
    shows(page, 2, "the deal")
    page.keyboard.press("ArrowLeft")
    shows(page, 1, "the end")
    expect(page.locator('.seat[data-state="won"]').first).to_be_visible()
    page.get_by_role("slider", name="Hand", exact=True).fill("2")
    shows(page, 3, "the deal")
    page.get_by_role("slider", name="Action of the hand").fill("2")
    expect(page.locator("#where")).to_contain_text("action 2 of")
    page.get_by_role("combobox", name="Moments").select_option("out")
    page.locator("#moments button", has_text="[red]Carlos[/red] is out: malformed: expected").click()
    shows(page, 1, "the deal")
    expect(page.locator("#moments [aria-current]")).to_have_count(1)
    page.get_by_role("combobox", name="Hands of").select_option(label="[red]Carlos[/red]")
    expect(page.get_by_role("slider", name="Hand", exact=True)).to_have_attribute("max", "0")
    page.get_by_role("spinbutton", name="Hand", exact=True).fill("4")
    page.get_by_role("button", name="Go", exact=True).click()
    shows(page, 4, "the deal")
    page.get_by_role("spinbutton", name="Hand", exact=True).fill("99")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator("#found")).to_have_text("This file has no such hand.")
    photograph(page, "replay-file")


def test_it_plays_to_the_end_and_stops_there(eyes: Eyes) -> None:
    page = eyes.open(fragment="friday.html#hand=6")
    page.clock.install()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(60_000)
    shows(page, 6, "the end")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator("#log")).to_contain_text("The end of the tournament.")
    assert page.evaluate("location.hash").startswith("#hand=6&action=")


def test_links_to_hands(eyes: Eyes) -> None:
    page = eyes.open(fragment="tables.html#hand=2&table=1&action=1")
    expect(page.get_by_role("heading", name="Table 1")).to_be_visible()
    expect(page.locator("#street")).to_contain_text("hand 2")
    expect(page.locator("#where")).to_contain_text("action 1 of")
    page.evaluate("location.hash = '#hand=1'")
    expect(page.get_by_role("heading", name="Table 0")).to_be_visible()
    shows(page, 1, "the deal")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == "#hand=1&table=0&action=1"


@pytest.mark.parametrize("name", GAMES)
def test_hole_cards_can_be_hidden(name: str, eyes: Eyes) -> None:
    page = eyes.open(fragment=f"{name}.html")
    hidden = page.locator("#seats .card.back")
    expect(page.locator("#seats .card.hole").first).to_be_visible()
    expect(hidden).to_have_count(0)
    page.get_by_role("checkbox", name="Hole cards").uncheck()
    expect(page.locator("#seats .card.hole")).to_have_count(0)
    assert hidden.count() >= 2
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#where")).to_have_text("the end")
    expect(hidden).to_have_count(0)


def test_player_sees_its_own_cards(eyes: Eyes) -> None:
    page = eyes.open(fragment="brian.html#hand=1")
    expect(page.locator("#seen-by")).to_have_text("as Brian saw it")
    expect(page.locator("#seats .card.hole")).to_have_count(1)
    expect(page.locator("#seats .card.back")).to_have_count(3)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#log")).to_contain_text("is folded: malformed")
    assert "my hole card" not in page.locator("body").inner_text()


def test_on_a_phone(eyes: Eyes) -> None:
    page = eyes.open(PHONE, fragment="holdem.html#hand=3&action=2")
    shows(page, 3, page.locator("#where").inner_text())
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    boxes = [button.bounding_box() for button in page.locator("button:visible").all()]
    assert all(box is not None and min(box["width"], box["height"]) >= 24 for box in boxes)
    photograph(page, "replay-file")


def test_journal_is_shown_in_a_browser_until_ctrl_c(browser: Browser, tmp_path: Path) -> None:
    path = write_stud(tmp_path / "friday.journal")
    with started_casino("replay", path, "--page", "--page-port", "0", "--speed", "20") as process:
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
