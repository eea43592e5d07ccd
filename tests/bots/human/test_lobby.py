"""The lobby and the seats for a person: what they offer, and what they say to nonsense."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from threading import Event

import pytest
from textual.widgets import Input

from bots.human import game_seat, table_order
from bots.human.game_seat import load_seat
from bots.human.games.stud import SEAT
from bots.human.lobby_screen import BotList
from bots.human.seat_names import NO_NAMES, Company, seat_names
from bots.human.table_order import Order
from bots.human.table_screen import TableScreen
from bots.human.updates import Scene, SeatView
from bots.strategies.caller import Caller
from tests.bots.helpers import offer
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
async def test_lobby_refuses_bad_chips_or_no_opponent_in_words_and_can_be_left() -> None:
    """Also from its help."""
    async with sitting_down(Order("stud", "lobby", options={"ante": 5})) as person:
        for chips in ("", "0"):
            person.app.screen.query_one(Input).value = chips
            await person.press("f4")
            await person.sees(f"chips are a whole number from 1 to 1000000000, got '{chips}'")
        person.app.screen.query_one(Input).value = "4"
        await person.press("f4")
        await person.sees("a stack of 4 chips does not pay the ante of 5")
        person.app.screen.query_one(Input).value = "500"
        person.app.screen.query_one(BotList).choose(())
        await person.press("f4")
        await person.sees("choose at least one opponent")
        await person.press("f8", "f10")
    assert person.app.closing_lines == []
    async with sitting_down(ORDER) as person:
        await person.press("f10")
    assert person.app.closing_lines == []


@pytest.mark.parametrize("game", ["blockhead", "dice", "holdem", "stud"])
def test_games_of_the_house_have_a_seat(game: str) -> None:
    seat = load_seat(game)
    assert max(map(len, seat.rules.splitlines())) <= 62
    assert seat.opponents >= 1


def test_unknown_game_is_a_sentence() -> None:
    with pytest.raises(
        LookupError, match=r"^the seat for people does not know leduc yet; it knows blockhead, dice, holdem, stud$"
    ):
        load_seat("leduc")


def test_seat_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, game_seat, guest="bots.human.games.stud:SEAT")
    assert load_seat("guest") is SEAT
    assert game_seat.seat_names() == ["blockhead", "dice", "guest", "holdem", "stud"]


def test_seat_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, game_seat, guest="no_such_module:SEAT")
    with pytest.raises(LookupError, match=r"the seat for guest \(no_such_module:SEAT\) cannot be loaded: No module"):
        load_seat("guest")


SCENE = Scene((SeatView("seat 0"), SeatView("you"), SeatView("seat 2")), me=1, hand=3, street=1, pot=3, cards=3)


def test_names_replace_numbers_in_scenes_and_lines_of_their_hand() -> None:
    names = seat_names(SCENE, Company(["Ada", "Me", "Bo\\1"], 1))
    assert [view.name for view in names.in_scene(SCENE).seats] == ["Ada", "you", "Bo\\1"]
    over = replace(SCENE, headline="seat 2 wins 60. The best cards: A♥ A♣.")
    assert names.in_scene(over).headline == "Bo\\1 wins 60. The best cards: A♥ A♣."
    assert names.in_line("seat 2 has folded.") == "Bo\\1 has folded."
    assert names.in_line("Hand 3: seat 0 wins 5, seat 7 wins 1.") == "Hand 3: Ada wins 5, seat 7 wins 1."


def test_another_hand_keeps_its_numbers() -> None:
    names = seat_names(SCENE, Company(["Ada", "Me", "Bo"], 1))
    assert names.in_line("Hand 4: seat 0 wins 5.") == "Hand 4: seat 0 wins 5."
    later = Scene(SCENE.seats, 1, 4, 1, 3, 3)
    assert names.in_scene(later) is later


def test_numbers_stay_where_seats_do_not_agree() -> None:
    for company in (None, Company(["Ada", "Me"], 1), Company(["Ada", "Bo", "Me"], 2)):
        names = seat_names(SCENE, company)
        assert names.in_scene(SCENE) is SCENE
        assert names.in_line("seat 0 has folded.") == "seat 0 has folded."
    assert NO_NAMES.in_line("seat 0 has folded.") == "seat 0 has folded."
