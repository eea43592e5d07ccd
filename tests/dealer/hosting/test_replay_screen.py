"""A replay at a terminal: keys step forward and back, and each hand fits the screen."""

import re
from io import StringIO
from math import inf
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from dealer.hosting import replay_screen
from dealer.hosting.replay_screen import HINT, HandWalk
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
