"""What the host sees during and after play: the time left, the keys, the page that stays up, a program's last words."""

from io import StringIO

import pytest
from rich.console import Console
from rich.progress import Progress

from dealer.hosting import progress as progress_module
from dealer.hosting.pace_keys import hint
from dealer.hosting.programs import Failure
from dealer.hosting.progress import TimeLeft, stay_until_told
from dealer.hosting.results import show_failures


@pytest.mark.parametrize(
    ("show_left", "told"),
    [(600.0, "0:10:00"), (59.2, "0:01:00"), (3661.0, "1:01:01"), (-4.0, "0:00:00"), (None, "-:--:--")],
)
def test_time_left_is_that_of_the_show_if_there_is_one(show_left: float | None, told: str) -> None:
    progress = Progress()
    task = progress.add_task("hands", total=200, show_left=show_left)
    assert TimeLeft().render(progress.tasks[task]).plain == told


def test_hint_says_what_the_space_bar_does_now() -> None:
    assert hint(paused=False) == "space pauses, ? lists the keys"
    assert hint(paused=True) == "space goes on, ? lists the keys"


async def test_page_stays_up_when_enter_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["\n", "\n", None]  # the last one is the end of standard input

    async def read_line() -> str | None:
        return lines.pop(0)

    monkeypatch.setattr(progress_module, "read_line", read_line)
    said: list[str] = []
    await stay_until_told(said.append)
    assert not lines
    assert said == ["The page stays up; Ctrl-C ends it."]


def shown(line: str) -> str:
    out = StringIO()
    show_failures([Failure("bot.py", "ended with code 1", (line,))], Console(file=out, markup=False, emoji=False))
    return out.getvalue().splitlines()[1].strip()


def test_an_emoji_of_several_stays_one() -> None:
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    assert shown(f"no cards for {family}") == f"no cards for {family}"


def test_escapes_and_marks_of_direction_are_replaced() -> None:
    replaced = "\N{REPLACEMENT CHARACTER}"
    assert shown("\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}gone") == f"{replaced}[2J{replaced}gone"
