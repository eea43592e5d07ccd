"""The moving picture of the README: it shows itself, in little room, and needs nothing from elsewhere."""

import re
import shlex
from xml.etree import ElementTree

from playwright.sync_api import Browser

from dealer.cli.casino_app import build_app
from tests.docs.make_show import COMMAND, PORTS, SERVE, Frame, moving, terminal_frame
from tests.docs.pages import ROOT, page

PICTURE = ROOT / ".github/show.svg"
SVG = "{http://www.w3.org/2000/svg}"


def test_picture_moves_and_is_small() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    frames = ElementTree.fromstring(text).findall(f"{SVG}g")
    assert len(frames) > 10
    assert text.count("@keyframes") == len(frames)
    assert len(text.encode()) < 1_000_000
    assert COMMAND.split()[-1] in text
    assert f"]({PICTURE.relative_to(ROOT).as_posix()})" in page("README.md")


def test_picture_asks_nobody_for_anything() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert {link[:16] for link in re.findall(r'href="([^"]*)', text)} == {"data:image/webp;"}
    assert not re.search(r"url\((?!#)|<script|@import", text)


def test_commands_of_the_picture_can_be_typed() -> None:
    for words in (COMMAND.split()[1:], shlex.split(f"{SERVE} {PORTS}")):
        build_app().parse_args(words, exit_on_error=False, print_error=False)


def test_one_frame_is_shown_at_a_time(browser: Browser) -> None:
    frames = [Frame('<rect width="9" height="9"/>', 1.0), Frame('<rect width="9" height="9"/>', 3.0)]
    shown = """(second) => {
      document.getAnimations().forEach((it) => { it.pause(); it.currentTime = second * 1000; });
      return [...document.querySelectorAll("g.f")].map((it) => getComputedStyle(it).visibility);
    }"""
    sheet = browser.new_page()
    sheet.set_content(moving(frames, 1))
    seen = [sheet.evaluate(shown, second) for second in (0.0, 0.9, 1.1, 3.9)]
    assert seen == [["visible", "hidden"]] * 2 + [["hidden", "visible"]] * 2
    sheet.emulate_media(reduced_motion="reduce")
    assert sheet.evaluate(shown, 0.0) == ["hidden", "visible"]
    sheet.close()


def test_terminal_shows_what_was_typed_and_printed() -> None:
    drawn = terminal_frame("casino bots", "\x1b[1mtight\x1b[0m plays stud\n", "test")
    text = re.sub(r"<[^>]*>", "", drawn).replace("&#160;", " ")
    assert "$ casino bots" in text
    assert "tight plays stud" in text
    assert "\x1b" not in drawn
    assert "@font-face" not in drawn
