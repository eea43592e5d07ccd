"""What the host sees: the time left, keys, the page that stays up, and a replay at a terminal."""

import re
from io import StringIO
from math import inf
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from rich.progress import Progress

from dealer.hosting import progress as progress_module
from dealer.hosting import replay_screen
from dealer.hosting.pace_keys import hint
from dealer.hosting.programs import Failure
from dealer.hosting.progress import TimeLeft, stay_until_told
from dealer.hosting.replay_screen import HINT, HandWalk
from dealer.hosting.results import show_failures
from dealer.replay.hand_screen import CardStyle
from dealer.replay.journal_reader import Choice, replay_items
from dealer.settings import Settings
from protocol.games.stud import StudGame
from tests.dealer.support.golden_replays import write_hosted, write_stud
from tests.dealer.support.replay_files import by_chance
from tests.dealer.support.scribe import Scribe, players

RIGHT, LEFT, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"


def walk_through(path: Path, choice: Choice | None = None) -> HandWalk:
    return HandWalk(replay_items(path, choice or Choice()), 1, CardStyle(Console(file=StringIO())))


def shown(walk: HandWalk) -> str:
    return "\n".join(line.plain for line in walk.lines(80, 24))


@pytest.fixture
def stud(tmp_path: Path) -> HandWalk:
    return walk_through(write_stud(tmp_path / "a.journal"))


def test_hand_of_eight_fits_a_screen_at_every_moment(tmp_path: Path) -> None:
    settings = Settings(bytes(32), StudGame(60, 2), hands=3, table_size=8)
    scribe = Scribe(settings, players(*[f"{number} {'德妮絲' * 6}" for number in range(8)]))
    scribe.play_round(by_chance(Random(3)))
    scribe.end()
    walk = walk_through(scribe.write(tmp_path / "a.journal"))
    moments = 0
    while walk.seconds < inf:
        lines = walk.lines(80, 24)
        assert len(lines) == 24
        assert all(line.cell_len <= 80 for line in lines)
        if lines[0].plain.startswith("Hand 1,"):
            assert [line.plain[:2] for line in lines[3:11]] == [f"{seat:>2}" for seat in range(8)]
        walk.forward()
        moments += 1
    assert moments > 20


@pytest.mark.parametrize("width", [40, 60])
def test_chips_of_every_seat_are_in_sight_in_a_narrow_terminal(tmp_path: Path, width: int) -> None:
    settings = Settings(bytes(32), StudGame(60000, 2), hands=3, table_size=8)
    scribe = Scribe(settings, players(*[f"{number} {'a long name' * 2}" for number in range(8)]))
    scribe.play_round(by_chance(Random(3)))
    scribe.end()
    walk = walk_through(scribe.write(tmp_path / "a.journal"))
    while walk.seconds < inf:
        for line in walk.lines(width, 24)[3:11]:
            assert line.cell_len <= width
            assert re.search(r" \d{5}\b", line.plain)
        walk.forward()


def test_steps_by_action_and_by_hand(stud: HandWalk) -> None:
    first = shown(stud)
    assert "Hand 1, table 0" in first
    assert HINT in first
    stud.press(RIGHT)
    assert "bets 5" in shown(stud)
    stud.press(LEFT)
    assert shown(stud).splitlines()[:-1] == first.splitlines()[:-1]
    stud.press(DOWN)
    assert "Hand 2, table 0" in shown(stud)
    stud.press(LEFT)
    assert "Hand 1, table 0" in shown(stud)
    assert "the end" in shown(stud)
    stud.press(UP)
    assert shown(stud).splitlines()[1:-1] == first.splitlines()[1:-1]


def test_space_pauses_and_goes_on(stud: HandWalk) -> None:
    assert stud.seconds < inf
    stud.press(" ")
    assert stud.seconds == inf
    stud.press(" ")
    assert stud.seconds < inf
    before = stud.seconds
    stud.press("+")
    assert stud.seconds == before / 2
    stud.press("--")
    assert stud.seconds == before * 2
    stud.press("xyz\x1b")
    assert not stud.over
    stud.press("q")
    assert stud.over


def test_fault_with_its_reason_and_the_end_of_the_tournament(stud: HandWalk) -> None:
    seen = ""
    while stud.seconds < inf:
        seen += shown(stud)
        stud.forward()
    assert "is folded: malformed" in seen
    assert "expected 'fold' or 'bet:<chips>'" in seen
    assert "The end of the tournament." in shown(stud)


def test_seat_sees_its_own_cards(tmp_path: Path) -> None:
    walk = walk_through(write_stud(tmp_path / "a.journal"), Choice(seat="p1"))
    rows = shown(walk).splitlines()[3:7]
    assert [row.count("??") for row in rows] == [1, 0, 1, 1]


def test_oldest_hands_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_screen, "KEPT", 2)
    walk = walk_through(write_hosted(tmp_path / "a.journal"))
    walk.press(DOWN * 3 + UP * 5)
    there = shown(walk)
    walk.press(DOWN)
    assert shown(walk) != there
    walk.press(UP * 2)
    assert shown(walk) == there


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


def told(line: str) -> str:
    out = StringIO()
    show_failures([Failure("bot.py", "ended with code 1", (line,))], Console(file=out, markup=False, emoji=False))
    return out.getvalue().splitlines()[1].strip()


def test_escapes_and_marks_of_direction_are_replaced_and_an_emoji_of_several_stays_one() -> None:
    replaced = "\N{REPLACEMENT CHARACTER}"
    assert told("\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}gone") == f"{replaced}[2J{replaced}gone"
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    assert told(f"no cards for {family}") == f"no cards for {family}"
