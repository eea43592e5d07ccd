"""Makes the moving picture of the README from a real league and a real tournament:

``python -m tests.docs.make_show .github/show.svg`` (needs ``chromium``).

The picture is an SVG file that shows one frame after the other by a style sheet of its own: the terminal is drawn by
rich, the page is photographed in a browser. Where the reader wants no motion, it shows one frame.
"""

import base64
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from playwright.sync_api import Page, expect, sync_playwright
from rich.console import Console
from rich.text import Text

from tests.end_to_end.browser import PATIENCE_MS, line_with, open_eyes, started
from tests.end_to_end.casino import ENVIRONMENT, casino

COMMAND = "casino league stud --seed readme"
BOTS = {"stud": "Ada", "tight": "Steph", "caller": "Cal", "maniac": "Max", "pair-or-fold": "Pia", "random": "Ron"}
SERVE = f"serve stud --seats {len(BOTS)} --hands 60 --show 0.5 --seed readme --no-journal"
PORTS = "--host 127.0.0.1 --port 0 --line-port 0 --page-port 0"

#: What the picture shows, for readers who do not see it.
LABEL = "A league in the terminal, and a tournament on the page"

#: The browser's window, and the size of the picture, in pixels.
WINDOW = (1280, 720)
SIZE = (960, 540)

#: Lines of the terminal, so that it is as wide and as high as the picture.
ROWS = 21

#: Seconds between two photographs of the tournament, and for which each of them is shown.
EVERY, SHOWN = 1.6, 0.8

#: Makes a smaller picture of a photograph, in a format that takes little room.
SHRINK = """async ([png, width, height]) => {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = Object.assign(document.createElement("canvas"), {width, height});
  const paper = canvas.getContext("2d");
  paper.imageSmoothingQuality = "high";
  paper.drawImage(picture, 0, 0, width, height);
  return canvas.toDataURL("image/webp", 0.7);
}"""


@dataclass(frozen=True)
class Frame:
    """A picture as an SVG element of the whole size, and the seconds for which it is shown."""

    element: str
    seconds: float


def terminal_frames() -> Iterator[Frame]:
    """A league as it is typed, and what it prints."""
    words = COMMAND.split()
    for typed in range(len(words) + 1):
        yield Frame(terminal_frame(" ".join(words[:typed]) + "█", "", str(typed)), 0.5)
    environment = {**ENVIRONMENT, "FORCE_COLOR": "1"}
    done = subprocess.run(casino(*words[1:]), env=environment, capture_output=True, text=True, check=True)
    yield Frame(terminal_frame(COMMAND, done.stdout, "results"), 4.0)


def terminal_frame(typed: str, printed: str, name: str) -> str:
    """A terminal of 80 columns after a command."""
    console = Console(record=True, width=80, height=ROWS, file=io.StringIO(), force_terminal=True)
    console.print(Text.assemble(("$ ", "green"), (typed, "bold")))
    lines = Text.from_ansi(printed).split()
    for line in lines[: ROWS - 1]:
        console.print(line, no_wrap=True, crop=True)
    for _ in range(len(lines), ROWS - 1):
        console.print()
    drawn = console.export_svg(title="Terminal", unique_id=f"t-{name}")
    drawn = re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)  # no font from elsewhere
    width, height = SIZE
    return drawn.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1)


def page_frames() -> Iterator[Frame]:
    """The page of a tournament: the lobby, the play, the podium."""
    with ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=shutil.which("chromium"))
        stack.callback(browser.close)
        dealer = stack.enter_context(started(casino(*SERVE.split(), *PORTS.split())))
        port = re.findall(r"port (\d+)", line_with(dealer, "port"))[0]
        page = stack.enter_context(open_eyes(browser, line_with(dealer, "For browsers").split()[-1])).open(WINDOW)
        studio = browser.new_page()
        for name, avatar in BOTS.items():
            bot = casino("bot", name, "127.0.0.1", port, "--id", avatar, "--avatar", avatar)
            stack.enter_context(started(bot))
            if name != [*BOTS][-1]:
                expect(page.locator("#here")).to_contain_text(avatar, timeout=PATIENCE_MS)
        yield Frame(_photograph(page, studio), 2.0)
        expect(page.locator("#rows tr")).to_have_count(len(BOTS), timeout=PATIENCE_MS)
        while not page.locator("#steps li").first.is_visible():
            begun = monotonic()
            yield Frame(_photograph(page, studio), SHOWN)
            page.wait_for_timeout(max(0.0, EVERY - (monotonic() - begun)) * 1000)
        page.wait_for_timeout(1500)  # until the steps have risen
        yield Frame(_photograph(page, studio), 4.0)


def _photograph(page: Page, studio: Page) -> str:
    width, height = SIZE
    png = base64.b64encode(page.screenshot()).decode()
    data = studio.evaluate(SHRINK, [png, width, height])
    return f'<image width="{width}" height="{height}" href="{data}"/>'


def moving(frames: Sequence[Frame], still: int) -> str:
    """An SVG file that shows frames one after the other, again and again.

    Args:
        frames: at least two.
        still: the number of the frame for readers who want no motion.
    """
    width, height = SIZE
    whole, begin = sum(frame.seconds for frame in frames), 0.0
    styles, groups = [f"g.f {{ visibility: hidden; animation: {whole:g}s step-end infinite }}"], []
    for number, frame in enumerate(frames):
        start, end = (f"{100 * point / whole:.3f}%" for point in (begin, begin + frame.seconds))
        steps = f"{start} {{ visibility: visible }} {end} {{ visibility: hidden }}"
        steps = f"0% {{ visibility: hidden }} {steps}" if number else steps
        styles.append(f"@keyframes f{number} {{ {steps} }} #f{number} {{ animation-name: f{number} }}")
        groups.append(f'<g class="f" id="f{number}">{frame.element}</g>')
        begin += frame.seconds
    calm = f"g.f {{ animation: none }} #f{still} {{ visibility: visible }}"
    styles.append(f"@media (prefers-reduced-motion: reduce) {{ {calm} }}")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{LABEL}">'
    return "\n".join([head, "<style>", *styles, "</style>", *groups, "</svg>", ""])


def main(path: Path) -> None:
    frames = [*terminal_frames(), *page_frames()]
    path.write_text(moving(frames, len(frames) * 2 // 3), encoding="utf-8")
    print(f"{path}: {len(frames)} frames, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
