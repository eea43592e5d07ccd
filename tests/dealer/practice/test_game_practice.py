"""What practice knows of a game is found by the name of the game."""

import pytest

from dealer.cli.house_bots import check_bots, load_bot
from dealer.errors import OptionError
from dealer.practice import game_practice
from dealer.practice.game_practice import GamePractice, find_practice
from dealer.practice.games import dice, holdem, stud
from dealer.practice.practice import practise
from dealer.practice.practice_flags import PracticeFlags


@pytest.mark.parametrize(
    ("game", "practice"), [("dice", dice.PRACTICE), ("holdem", holdem.PRACTICE), ("stud", stud.PRACTICE)]
)
def test_game_is_known_and_its_teacher_plays_it(game: str, practice: GamePractice) -> None:
    assert find_practice(game) is practice
    check_bots([practice.teacher], game)
    assert callable(load_bot(practice.teacher))


def test_game_that_practice_does_not_know() -> None:
    with pytest.raises(OptionError, match=r"^practice does not know blockhead yet; it knows dice, holdem, stud$"):
        find_practice("blockhead")


def test_package_brings_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_practice, "load_installed", lambda *_: stud.PRACTICE)
    assert find_practice("leduc") is stud.PRACTICE


async def test_practice_of_unknown_game_starts_nothing() -> None:
    with pytest.raises(OptionError, match="practice does not know blockhead yet") as error:
        await practise("blockhead", ("x", "{port}"), PracticeFlags())
    assert error.value.exit_code == 2


def test_bot_of_another_game_is_refused() -> None:
    with pytest.raises(OptionError, match="the bot 'alpha' plays blockhead, not stud"):
        check_bots(["tight", "alpha"], "stud")
