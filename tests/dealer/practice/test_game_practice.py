"""What practice knows of a game is found by the name of the game."""

import pytest

from dealer.cli.house_bots import check_bots, load_bot
from dealer.errors import OptionError
from dealer.practice import game_practice
from dealer.practice.game_practice import find_practice
from dealer.practice.games.stud import PRACTICE
from dealer.practice.practice import practise
from dealer.practice.practice_flags import PracticeFlags


def test_stud_is_known() -> None:
    assert find_practice("stud") is PRACTICE


def test_game_that_practice_does_not_know() -> None:
    with pytest.raises(OptionError, match=r"^practice does not know blockhead yet; it knows dice, holdem, stud$"):
        find_practice("blockhead")


def test_package_brings_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_practice, "load_installed", lambda *_: PRACTICE)
    assert find_practice("leduc") is PRACTICE


async def test_practice_of_unknown_game_starts_nothing() -> None:
    with pytest.raises(OptionError, match="practice does not know blockhead yet") as error:
        await practise("blockhead", ("x", "{port}"), PracticeFlags())
    assert error.value.exit_code == 2


def test_teacher_plays_the_game() -> None:
    check_bots([PRACTICE.teacher], "stud")
    assert callable(load_bot(PRACTICE.teacher))


def test_bot_of_another_game_is_refused() -> None:
    with pytest.raises(OptionError, match="the bot 'alpha' plays blockhead, not stud"):
        check_bots(["tight", "alpha"], "stud")
