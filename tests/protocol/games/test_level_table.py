"""Level tables: what they may hold, and the stakes of each level."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import Blinds, HoldemGame
from protocol.games.level_table import LevelTable
from protocol.games.stakes import Antes
from protocol.games.stud import StudGame

HOLDEM = HoldemGame()
LEVEL = {"hands": 5, "small_blind": 5, "big_blind": 10}


@st.composite
def level_tables(draw: st.DrawFn) -> list[dict[str, int]]:
    """The levels of any table that hold'em can be played by."""
    levels: list[dict[str, int]] = []
    small, big = 1, 2
    count = draw(st.integers(1, 8))
    for number in range(1, count + 1):
        big += draw(st.integers(0, 100))
        small = draw(st.integers(small, big))
        level = {"hands": draw(st.integers(1, 50)), "small_blind": small, "big_blind": big}
        match draw(st.sampled_from(["none", "ante", "big_blind_ante", "straddle"])):
            case "straddle":
                level["straddle"] = draw(st.integers(2 * big, 3 * big))
            case "none":
                pass
            case name:
                level[name] = draw(st.integers(1, big))
        if number == count and draw(st.booleans()):
            del level["hands"]
        levels.append(level)
    return levels


@given(levels=level_tables(), betting=st.sampled_from(["no-limit", "pot-limit", "fixed-limit"]))
def test_each_level_asks_for_what_it_says(levels: list[dict[str, int]], betting: str) -> None:
    table = LevelTable.from_facts(levels)
    assert LevelTable.from_facts(table.record) == table
    assert table.record == levels
    game = HoldemGame(betting=betting, stack=777)  # type: ignore[arg-type]
    for number, (level, stakes) in enumerate(zip(levels, table.stakes(game), strict=True), 1):
        assert stakes.facts == {name: chips for name, chips in level.items() if name != "hands"}
        assert table.hands(number) == (None if number == len(levels) else level["hands"])
        charged = game.start(3).charge(stakes)
        assert charged.betting.small_bet == level["big_blind"]
        assert charged.betting.big_bet == 2 * level["big_blind"]
    assert [at_level.stack for at_level in table.games(game)] == [777] * len(levels)


def test_levels_end_after_hands_or_minutes() -> None:
    blinds = {"small_blind": 5, "big_blind": 10}
    table = LevelTable.from_facts([{"hands": 5, **blinds}, {"minutes": 7, **blinds}, {"minutes": 9, **blinds}])
    assert LevelTable.from_facts(table.record) == table
    assert [(table.hands(level), table.minutes(level)) for level in (1, 2, 3)] == [(5, None), (None, 7), (None, None)]


def test_a_level_leaves_nothing_of_the_stakes_before_it() -> None:
    table = LevelTable.from_facts([{**LEVEL, "ante": 2}, {"small_blind": 5, "big_blind": 10}])
    assert table.stakes(HoldemGame(straddle=20)) == [Blinds(5, 10, 2), Blinds(5, 10)]


def test_games_of_antes_have_levels_of_antes() -> None:
    table = LevelTable.from_facts([{"hands": 3, "ante": 4}, {"ante": 9}])
    assert table.stakes(StudGame(100, 1)) == [Antes(4), Antes(9)]


@pytest.mark.parametrize(
    ("levels", "complaint"),
    [
        ([], "expected at least one level, got none"),
        ([{**LEVEL, "seconds": 5}], "level 1: unknown key 'seconds'; the keys are hands, minutes, small_blind, "),
        ([{**LEVEL, "minutes": 5}], "level 1: a level ends after hands or after minutes; leave out one of the two"),
        ([{"minutes": 0, "small_blind": 5, "big_blind": 10}], "level 1: minutes: expected a whole number from 1 to "),
        ([{**LEVEL, "ante": "2"}], "level 1: ante: expected a whole number from 0 to 1000000000, got '2'"),
        ([{**LEVEL, "ante": True}], "level 1: ante: expected a whole number from 0 to 1000000000, got True"),
        ([LEVEL, {**LEVEL, "hands": 0}], "level 2: hands: expected a whole number from 1 to 1000000000, got 0"),
        ([{**LEVEL, "small_blind": -1}], "level 1: small_blind: expected a whole number from 0 to "),
        ([{"small_blind": 5, "big_blind": 10}, LEVEL], "level 1: hands or minutes is missing; only the last"),
        ([{"hands": 5, "big_blind": 10}], "level 1: small_blind is missing or 0; holdem needs it at every level"),
        ([{"hands": 5, "small_blind": 10}], "level 1: big_blind is missing or 0; holdem needs it at every level"),
        ([LEVEL, {**LEVEL, "ante": 11}], "level 2: ante: expected at most the big blind of 10, got 11"),
        ([{**LEVEL, "big_blind_ante": 11}], "level 1: big_blind_ante: expected at most the big blind of 10, got 11"),
        ([LEVEL, {**LEVEL, "small_blind": 11}], "level 2: small_blind: expected at most the big blind of 10, got 11"),
        (
            [LEVEL, {**LEVEL, "small_blind": 4}],
            "level 2: small_blind: expected at least the 5 of the level before",
        ),
        ([LEVEL, {**LEVEL, "big_blind": 9}], "level 2: big_blind: expected at least the 10 of the level before, got 9"),
        ([{**LEVEL, "straddle": 19}], "level 1: straddle: expected at least twice the big blind of 10, got 19"),
        ([{**LEVEL, "ante": 1, "big_blind_ante": 1}], "level 1: ante: either everybody pays one or the big blind"),
    ],
)
def test_what_is_no_table_is_refused(levels: list[dict[str, Any]], complaint: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(complaint)}"):
        LevelTable.from_facts(levels).games(HOLDEM)


def test_levels_need_a_game_with_such_stakes() -> None:
    table = LevelTable.from_facts([LEVEL])
    with pytest.raises(ValueError, match=r"^level 1: stud has no small_blind; leave it out"):
        table.stakes(StudGame())
    with pytest.raises(ValueError, match=r"^level 2: ante: expected at least the 4 of the level before, got 3"):
        LevelTable.from_facts([{"hands": 3, "ante": 4}, {"ante": 3}]).stakes(StudGame())
    with pytest.raises(ValueError, match=r"^in blockhead nothing can rise"):
        LevelTable.from_facts([{"hands": 3}]).stakes(BlockheadGame())
