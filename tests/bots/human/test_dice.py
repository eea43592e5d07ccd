"""Dice at the seat for a person: pictures, chances, and a dealer's table."""

from random import Random

import pytest

from bots.human.card_pictures import drawn, words
from bots.human.game_seat import load_seat
from bots.human.games.dice import DiceWireTable
from bots.human.narration import move
from bots.human.panes import chances_text
from bots.human.table_order import Order
from bots.human.updates import Spot
from protocol.dice import DICE, BetSize
from protocol.games.base import FOLD, Bet
from protocol.games.dice import DiceGame, DiceStatus, DiceTurn
from tests.bots.human.person import on_asyncio, sitting_down

GAME = DiceGame()


def table() -> DiceWireTable:
    return DiceWireTable(1, GAME, 1, {"seat": "1", "players": "2"})


def test_dice_are_drawn_with_their_pips() -> None:
    for die in DICE:
        picture = "\n".join(line.plain for line in drawn((die,), 0, (), "big"))
        assert picture.count("●") == die.pips
        assert [line.plain for line in drawn((), 0, (die,), "box")][1] == f"│ {die.text} │"
    assert words((*DICE[:2], BetSize(12, "B=12"))) == "1 2 B=12"
    assert [line.plain.strip() for line in drawn((), 0, (BetSize(12, "B=12"),), "box")] == ["", "B=12", ""]


@pytest.mark.parametrize(("pips", "best"), [(1, 0.0), (4, 0.5), (6, 5 / 6)])
def test_chances_of_a_die(pips: int, best: float) -> None:
    spot = Spot(GAME, (DICE[pips - 1],), ((),), pot=14, owed=10, board=(BetSize(12, "B=12"),))
    chances = load_seat("dice").chances(spot, Random(1))
    assert (chances.best, chances.tied, chances.error) == (best, 1 / 6, 0.0)
    assert chances.price == pytest.approx(10 / 24)
    assert f"\nbest die {best:.1%}, shared 16.7%\n" in chances_text(chances)


def test_dealers_table_after_a_showdown() -> None:
    seen = table()
    turn = DiceTurn(12, 1, 4, 7)
    assert "B is 12. You are the second player; player 7 bets." in seen.look(turn)
    scene = seen.scene(turn, 1)
    assert (scene.board[0].text, scene.seats[0].button, scene.seats[1].hole) == ("B=12", True, (DICE[3],))
    spot = seen.spot(turn)
    assert spot is not None
    assert spot.board == scene.board
    status = DiceStatus(1, True, 6, -12)
    assert seen.result(status) == "the opponent shows a six, and you lose 12."
    seen.turn_up(status)
    assert seen.scene(turn, None).seats[0].hole == (DICE[5],)
    assert seen.gain == -12


def test_dealers_table_after_folds() -> None:
    seen = table()
    turn = DiceTurn(9, 0, 2, 7)
    seen.look(turn)
    seen.moved(turn, FOLD, "fold")
    assert seen.gain == -1  # a player who folds is told no more
    assert seen.spot(turn) is None
    fresh = table()
    assert fresh.result(DiceStatus(1, False, 0, 1)) == "the opponent folds, and you win 1."
    assert fresh.result(DiceStatus(0, True, 2, 0)) == "the opponent shows a two, and nobody wins."


@on_asyncio
async def test_first_player_bets_and_nobody_is_offered_a_raise() -> None:
    async with sitting_down(Order("dice", "look", ("dice-four",), speed="none"), (80, 24)) as person:
        await person.asked()
        assert person.turn.second == 0
        await person.sees(f"F3 Bet {person.turn.owed}", "f3 Bet")
        for word in ("Raise", "no raise", "More"):
            assert word not in person.screen
        turn = person.turn
        await person.press("f4")  # does nothing
        assert person.turn is turn
        await person.press("f8")
        await person.sees("bet, or call")
        assert "slider" not in person.screen
        await person.press("escape")
        await person.until(lambda: person.app.screen is person.table)
        await person.press("f3")
        await person.sees(f"you (D): bet {turn.owed}")


def test_words_for_paying() -> None:
    pay_word = load_seat("dice").pay_word
    assert [pay_word(DiceTurn(9, second, 2, 7)) for second in (0, 1)] == ["bet", "call"]
    assert move(Bet(8), 8, first=False, pay_word="bet") == "bet 8"
    assert load_seat("holdem").pay_word(None) == "call"
