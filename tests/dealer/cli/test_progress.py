"""How far a command is, where no terminal can show a bar."""

import pytest

from dealer.cli.tables import working_progress


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def told(capsys: pytest.CaptureFixture[str], total: int, done: int, *steps: tuple[float, int]) -> list[str]:
    """What is told when so many parts are done, each after some seconds."""
    clock = Clock()
    with working_progress(total, done, clock) as tell:
        for seconds, now_done in steps:
            clock.now += seconds
            tell(now_done, "playing")
    out, err = capsys.readouterr()
    assert not out
    return err.splitlines()


def test_line_every_half_minute(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [(10.0, 10), (10.0, 20), (10.0, 30), (10.0, 40), (10.0, 50), (10.0, 60)]
    assert told(capsys, 100, 0, *steps) == [
        "casino: playing: 30% done, about 70 s left",
        "casino: playing: 60% done, about 40 s left",
    ]


def test_time_left_from_the_first_twentieth(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 1000, 0, (30.0, 50), (30.0, 100), (2000.0, 200), (33000.0, 300)) == [
        "casino: playing: 5% done",
        "casino: playing: 10% done, about 9 min left",
        "casino: playing: 20% done, about 2.3 h left",
        "casino: playing: 30% done, about 22.7 h left",
    ]


def test_what_was_done_before_says_nothing_of_the_speed(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 1000, 800, (30.0, 900)) == ["casino: playing: 90% done, about 30 s left"]


def test_short_work_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 10, 0, *[(2.9, done) for done in range(1, 11)]) == []
