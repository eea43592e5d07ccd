"""A person plays by keys, at a table on a headless screen.

The lobby and the seats are here, too: what they offer, and what they say to nonsense.
"""

import re
from collections.abc import Callable
from random import Random
from threading import Event

import pytest
from textual.widgets import Input

from bots.arena import play_hand
from bots.human import game_seat, table_order
from bots.human.card_pictures import LINES
from bots.human.game_seat import load_seat
from bots.human.games.stud import SEAT
from bots.human.lobby_screen import BotList
from bots.human.panes import History
from bots.human.table_order import Order
from bots.human.table_picture import TablePicture, fitted
from bots.human.table_screen import TableScreen
from bots.human.updates import TooLate
from bots.strategies.caller import Caller
from protocol.games.base import FOLD, Bet
from protocol.games.stud import StudGame
from protocol.shuffle import seed_from_text
from tests.bots.helpers import offer
from tests.bots.human.person import on_asyncio, sitting_down
from tests.patience import PATIENCE

SEED = "a table"
CALLERS = Order("stud", SEED, ("caller", "caller"), speed="none")


def stacks_of_callers(players: int, hands: int, stack: int = 500) -> list[int]:
    """The chips of the first of some callers before each hand and behind the last, as the arena plays it."""
    match, stacks = StudGame(stack=stack).start(players), [stack]
    for number in range(1, hands + 1):
        strategies = [Caller(Random(1)) for _ in range(players)]
        match = match.record(play_hand(StudGame(), match, strategies, seed_from_text(SEED), number).settlement)
        stacks.append(match.stacks[0])
    return stacks


@on_asyncio
async def test_game_by_keys_equals_the_arena() -> None:
    order = Order("stud", SEED, ("caller", "caller"), hands=4, speed="none")
    async with sitting_down(order) as person:
        for _ in range(4):
            await person.call_to_the_end_of_the_hand()
            await person.press("enter")
        await person.sees("The game is over", "4 hands: 500 chips at first")
        assert person.table.session.chips == stacks_of_callers(3, 4)
        await person.press("right", "right", "enter")  # past "Play again" and "Other opponents"
    assert person.app.closing_lines[0] == "Three-card stud against caller, caller 2"
    assert f"4 hands: 500 chips at first, {stacks_of_callers(3, 4)[-1]} at the end" in person.app.closing_lines[2]


@on_asyncio
async def test_play_again_and_other_opponents() -> None:
    order = Order("stud", SEED, ("caller",), hands=1, speed="none")
    async with sitting_down(order) as person:
        await person.call_to_the_end_of_the_hand()
        await person.press("enter")
        await person.sees("Play again")
        await person.press("enter")
        await person.call_to_the_end_of_the_hand()
        await person.press("enter")
        await person.sees("Other opponents")
        await person.press("right", "enter")
        await person.sees("Who may sit down")
        await person.press("ctrl+q")
    assert [line for line in person.app.closing_lines if line.startswith("1 hand:")] != []
    assert len([line for line in person.app.closing_lines if line.startswith("Three-card stud")]) == 2


@on_asyncio
async def test_slider_offers_exactly_the_legal_amounts() -> None:
    async with sitting_down(CALLERS) as person:
        await person.asked()
        assert person.table.asked is not None
        legal = person.table.asked.turn.legal()
        seen = [person.slider.amount]
        await person.press("minus")
        assert person.slider.amount == legal.raises[0]
        for _ in range(len(legal.raises) + 2):
            await person.press("plus")
            seen.append(person.slider.amount)
        assert sorted(set(seen)) == list(legal.raises)
        assert all(Bet(amount) in legal for amount in seen)
        await person.press("home")
        assert person.slider.amount == legal.raises[0]
        await person.press("end")
        await person.sees(f"puts in {legal.raises[-1]}")
        await person.press("f4")
        await person.reads("You bet 10.")


@on_asyncio
async def test_slider_moves_with_the_mouse() -> None:
    async with sitting_down(CALLERS) as person:
        await person.asked()
        await person.until(lambda: person.slider.size.width > 0)  # it has its place on the screen a moment later
        width = person.slider.size.width
        await person.pilot.click(person.slider, offset=(width - 2, 0))
        assert person.slider.amount == person.slider.amounts[-1]
        await person.pilot.click(person.slider, offset=(0, 0))
        assert person.slider.amount == person.slider.amounts[-2]
        await person.pilot.click("#raise")
        await person.reads("You bet 9.")


@on_asyncio
async def test_slider_of_a_short_stack() -> None:
    order = Order("stud", SEED, ("caller",), options={"stack": 4}, speed="none")
    async with sitting_down(order) as person:
        await person.asked()
        await person.press("end")
        assert person.slider.amount == 3
        await person.press("f4")
        await person.reads("You bet 3.")


@on_asyncio
async def test_fold_is_offered_only_if_legal() -> None:
    async with sitting_down(Order("blockhead", SEED, ("caller",), speed="none")) as person:
        await person.asked()
        assert person.table.asked is not None
        assert FOLD not in person.table.asked.turn.legal()
        await person.press("f2", "f")
        assert person.table.asked is not None
        await person.call_to_the_end_of_the_hand()
        await person.sees("hand 1", "street 3", "sum ", "Enter: the next hand.")


@on_asyncio
async def test_fold_for_nothing_asks_first() -> None:
    async with sitting_down(CALLERS) as person:
        await person.asked()
        await person.press("f2")
        await person.sees("Fold, though a check costs nothing?")
        await person.press("escape")
        assert person.table.asked is not None
        await person.press("f", "f", "enter")  # the button that does no harm has the focus; one dialog is enough
        await person.reads("You check.")
        await person.asked()
        await person.press("f2", "right", "enter")
        await person.reads("You fold.")


@on_asyncio
async def test_question_that_is_over_closes_the_dialog_about_it() -> None:
    async with sitting_down(CALLERS) as person:
        await person.asked()
        await person.press("f")
        await person.sees("Fold, though a check costs nothing?")
        person.table._hear(TooLate())
        await person.until(lambda: person.app.screen is person.table)


@on_asyncio
async def test_bots_of_blockhead_are_told_of_a_game() -> None:
    order = Order("blockhead", SEED, ("gamma",), hands=2, speed="none")
    async with sitting_down(order) as person:
        for _ in range(2):
            await person.call_to_the_end_of_the_hand()
            await person.press("enter")
        await person.sees("2 hands: 1000 chips at first")


@on_asyncio
async def test_leaving_in_a_hand_keeps_the_stack() -> None:
    async with sitting_down(CALLERS) as person:
        await person.asked()
        await person.press("end", "f4")
        await person.asked()
        await person.press("ctrl+q")
        await person.sees("Leave the table?")
        await person.press("escape")
        assert person.table.asked is not None
        await person.press("f10")
        await person.sees("You keep the 489 chips")
        await person.press("enter")
    assert person.app.closing_lines[1:3] == [
        "You have left the table.",
        "1 hand: 500 chips at first, 489 at the end (-11).",
    ]


@on_asyncio
async def test_f1_counts_while_the_game_goes_on() -> None:
    async with sitting_down(CALLERS) as person:
        await person.asked()
        await person.sees("F1 counts your chances.")
        await person.press("f1")
        await person.sees("best cards", "highest spade in the hole", "pot share")
        await person.press("f3")
        await person.asked()
        await person.sees("F1 counts your chances.")  # what was counted on street 1 is gone


@on_asyncio
async def test_chances_are_whole_at_every_size() -> None:
    async with sitting_down(Order("stud", SEED, ("maniac", "maniac"), speed="none"), (40, 24)) as person:
        await person.asked()
        await person.press("f1")
        for size in ((40, 24), (60, 20), (80, 24), (100, 40), (124, 36)):
            await person.pilot.resize_terminal(*size)
            await person.until(lambda: re.search(r"call needs \d+\.\d%", person.screen) is not None)


@on_asyncio
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
@pytest.mark.parametrize("opponents", [1, 7])
async def test_small_and_large_screens_show_everything(size: tuple[int, int], opponents: int) -> None:
    order = Order("stud", SEED, ("caller",), opponents=opponents, speed="none")
    async with sitting_down(order, size) as person:
        await person.asked()
        await person.sees(
            "hand 1 · street 1",
            "▶ you",
            *[f"caller {number}" for number in range(2, opponents + 1)],
            "pot ",
            "Your turn: nothing to pay",
            "F2 Fold",
            "F4 Bet 1",
            "f10 Leave",
        )
        await person.sees(person.table.query_one(History).lines[-1])
        room = person.table.query_one(TablePicture).size
        lines = LINES[fitted(opponents + 1, 3, room.width, room.height).size] - 2  # without the edges of a card
        assert lines > (0 if size == (80, 24) else 2)
        assert person.screen.count("║░░░") == opponents * lines
        assert max(map(len, person.screen.splitlines())) <= size[0]


@on_asyncio
async def test_screen_size_may_change() -> None:
    async with sitting_down(CALLERS, (200, 60)) as person:
        await person.asked()
        await person.sees("Your chips hand by hand.")
        await person.pilot.resize_terminal(80, 24)
        await person.sees("▶ you", "F2 Fold", "checks.")
        await person.until(lambda: "Your chips hand by hand." not in person.screen)
        await person.press("f3")
        await person.reads("You check.")


@on_asyncio
async def test_showdown_turns_up_all_cards_and_offers_nothing() -> None:
    """A narrow status line shows the game before the title; the history scrolls."""
    async with sitting_down(CALLERS) as person:
        await person.asked()
        await person.sees("hand 1 · street 1 · pot 3 · you have 499 · ", "F2 Fold", "F3 C")
        assert person.screen.count("░░░") == 2
        await person.call_to_the_end_of_the_hand()
        assert not person.table.query_one("#controls").visible
        await person.sees("Enter: the next hand.")
        assert "░░░" not in person.screen
        assert "wins " in person.screen or "You win " in person.screen
        await person.until(lambda: "Hand 1:" not in person.screen)
        await person.press("pageup", "pageup", "pageup")
        await person.sees("Hand 1: 3 players")
        await person.press("pagedown", "pagedown", "pagedown")
        await person.sees(person.table.query_one(History).lines[-1])


@on_asyncio
async def test_enter_skips_pauses() -> None:
    order = Order("stud", SEED, ("caller",), opponents=7, speed="slow")
    async with sitting_down(order) as person:
        await person.sees("▶ caller 4")
        await person.press("enter")
        await person.asked()
        assert person.table.query_one(History).lines[-1] == "caller 7 checks."


@on_asyncio
async def test_help_and_chip_dialogs() -> None:
    async with sitting_down(CALLERS) as person:
        await person.call_to_the_end_of_the_hand()
        await person.press("f8")
        await person.sees("Half the pot goes to the best cards", "leave the table, at any time")
        await person.press("f10")
        await person.sees("Leave the table?")
        await person.press("escape", "f5")
        chips = stacks_of_callers(3, 1)
        await person.sees(f"at most {max(chips)}", f"at least {min(chips)}")
        await person.press("f10")
        await person.sees("Leave the table?")
        await person.press("escape", "h")
        await person.sees("leave the table, at any time")
        await person.press("escape")
        await person.sees("Enter: the next hand.")


@on_asyncio
async def test_suits_are_readable_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with sitting_down(CALLERS) as person:
        await person.asked()
        assert person.table.asked is not None
        turn = person.table.asked.turn
        symbols = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
        for card in turn.own:
            assert card.text[:-1] + symbols[card.text[-1]] in person.screen
        await person.sees("▶ you")


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

    monkeypatch.setattr(table_order, "load_bot", load_late)

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
    with pytest.raises(LookupError, match="there is no game 'leduc'"):
        load_seat("leduc")


def test_seat_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, game_seat, guest="bots.human.games.stud:SEAT")
    assert load_seat("guest") is SEAT


def test_seat_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, game_seat, guest="no_such_module:SEAT")
    with pytest.raises(LookupError, match=r"the seat for guest \(no_such_module:SEAT\) cannot be loaded: No module"):
        load_seat("guest")
