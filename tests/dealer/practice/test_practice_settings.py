"""What is agreed in a practice: short tournaments, those of a preset, or tournaments by a level table."""

from typing import Any

import pytest

from dealer.errors import OptionError
from dealer.hosting.tournament_settings import UNTIL_ONE_IS_LEFT
from dealer.practice.practice import practice_settings
from dealer.practice.practice_flags import PracticeFlags
from dealer.settings import Settings
from protocol.games.level_table import LevelTable


def agreed(game: str = "holdem", players: int = 3, flags: PracticeFlags | None = None, **options: Any) -> Settings:
    return practice_settings(game, flags or PracticeFlags(), options, "x", players)


@pytest.mark.parametrize("game", ["stud", "holdem"])
def test_usual_tournaments_are_short_and_stakes_rise(game: str) -> None:
    settings = agreed(game)
    assert (settings.game.facts["stack"], settings.levels, settings.hands) == (200, 10, UNTIL_ONE_IS_LEFT)
    assert (settings.rounds, settings.limit) == (10, 1.0)
    assert agreed(game, flags=PracticeFlags(stack=77, levels=3)).game.facts["stack"] == 77


@pytest.mark.parametrize(("preset", "stack", "hands", "most"), [("royale", 1000, 25, 7), ("cornell", 5000, 10_000, 8)])
def test_a_preset_sets_stack_hands_and_seats(preset: str, stack: int, hands: int, most: int) -> None:
    settings = agreed(preset=preset)
    assert (settings.game.facts["stack"], settings.levels, settings.hands) == (stack, None, hands)
    assert agreed(players=most, preset=preset).table_size == most
    with pytest.raises(OptionError, match=f"^holdem is played by 2 to {most}: give at most {most - 1} house bots$"):
        agreed(players=most + 1, preset=preset)
    assert agreed(flags=PracticeFlags(stack=77), preset=preset).game.facts["stack"] == 77


def test_a_game_for_two_has_one_opponent() -> None:
    with pytest.raises(OptionError, match=r"^dice is played by 2: give at most 1 house bot$"):
        agreed("dice")


def test_an_option_that_sets_no_other_leaves_the_stack() -> None:
    assert agreed(betting="fixed-limit").game.facts["stack"] == 200


def test_equal_stacks_have_no_levels() -> None:
    settings = agreed(reset_stacks=1)
    assert (settings.levels, settings.hands) == (None, 200)


def test_levels_by_a_table() -> None:
    settings = agreed(flags=PracticeFlags(level_table="sit-and-go"))
    assert isinstance(settings.levels, LevelTable)
    assert settings.hands == UNTIL_ONE_IS_LEFT
    with pytest.raises(OptionError, match=r"^--level-table says how long each level is; leave out --levels$"):
        agreed(flags=PracticeFlags(level_table="sit-and-go", levels=5))
    with pytest.raises(OptionError, match=r"^--levels needs blinds or an ante"):
        agreed(flags=PracticeFlags(levels=5), preset="royale")
