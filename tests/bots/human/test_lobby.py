"""The lobby: what it offers, what it takes, and what it says to nonsense."""

from collections.abc import Callable
from random import Random
from threading import Event

import pytest
from textual.widgets import Input

from bots.human import table_order
from bots.human.lobby_screen import BotList
from bots.human.table_order import Order
from bots.human.table_screen import TableScreen
from bots.strategies.caller import Caller
from tests.bots.human.person import on_asyncio, sitting_down
from tests.patience import PATIENCE

ORDER = Order("stud", "lobby", speed="none")


@on_asyncio
async def test_enter_starts_with_the_usual_opponents() -> None:
    async with sitting_down(ORDER) as person:
        await person.sees("three-card stud", "[x] tight", "[ ] stud", "Sit down")
        await person.press("enter")
        await person.until(lambda: isinstance(person.app.screen, TableScreen))
        await person.sees("pair-or-fold", "tight", "you")


@on_asyncio
async def test_keys_work_while_the_bots_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = Event()

    def load_late(_name: str) -> Callable[[Random], Caller]:
        def make(rng: Random) -> Caller:
            assert loaded.wait(PATIENCE)
            return Caller(rng)

        return make

    monkeypatch.setattr(table_order, "load_maker", load_late)

    async with sitting_down(ORDER) as person:
        await person.press("f4")
        await person.sees("Loading the other players ...")
        await person.press("f1", "f10")
        await person.sees("Leave the table?")
        await person.press("escape")
        loaded.set()
        await person.asked()


@on_asyncio
async def test_level_and_list_choose_the_bots() -> None:
    async with sitting_down(ORDER) as person:
        await person.press("tab", "enter", "down", "enter")  # the level below medium in its menu
        await person.sees("hard", "[x] stud", "[ ] tight")
        await person.press("tab", "enter", "down", "enter")  # 4 opponents instead of 3
        await person.press("shift+tab", "shift+tab", "shift+tab", "down", "enter")  # the second bot of the list
        await person.sees("[x] maniac", "[x] stud")
        assert person.app.screen.query_one(BotList).chosen == ("maniac", "stud")
        await person.press("f4")
        await person.until(lambda: isinstance(person.app.screen, TableScreen))
        await person.sees("maniac 2", "stud 2")


@on_asyncio
async def test_lobby_refuses_bad_chips_in_words_and_can_be_left() -> None:
    async with sitting_down(Order("stud", "lobby", options={"ante": 5})) as person:
        for chips in ("", "0"):
            person.app.screen.query_one(Input).value = chips
            await person.press("f4")
            await person.sees(f"chips are a whole number from 1 to 1000000000, got '{chips}'")
        person.app.screen.query_one(Input).value = "4"
        await person.press("f4")
        await person.sees("a stack of 4 chips does not pay the ante of 5")
        await person.press("f10")
    assert person.app.closing_lines == []


@on_asyncio
async def test_lobby_needs_an_opponent_and_can_be_left_from_its_help() -> None:
    async with sitting_down(ORDER) as person:
        person.app.screen.query_one(BotList).choose(())
        await person.press("f4")
        await person.sees("choose at least one opponent")
        await person.press("f8", "f10")
    assert person.app.closing_lines == []
