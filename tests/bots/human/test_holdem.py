"""Hold'em and dice at the seat for a person: buttons, pictures, chances, presets, and a dealer's messages."""

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from textual.widgets import Button

from bots.human.card_pictures import drawn, words
from bots.human.game_seat import load_seat
from bots.human.narration import move
from bots.human.odds import Spot
from bots.human.panes import History, chances_text
from bots.human.table_order import Order, check
from bots.human.table_picture import painted
from bots.human.updates import Ended, PersonScene, Said, Shown
from bots.strategies.caller import Caller
from dealer.errors import OptionError
from dealer.telling.scene import SeatScene
from protocol.cards import DECK, parse_cards
from protocol.dice import DICE, BetSize
from protocol.games.base import Bet
from protocol.games.dice import DiceGame, DiceTurn
from protocol.games.holdem import HoldemGame, HoldemMatch
from protocol.games.poker_strength import poker_strength
from tests.bots.helpers import Scripted
from tests.bots.human.person import on_asyncio, scene_of, sitting_down
from tests.bots.human.test_local import most, told

GAME = HoldemGame()


def ordered(opponents: int = 5, **options: int | str) -> Order:
    return Order("holdem", "holdem", ("caller",), opponents, options=options, speed="none")


@on_asyncio
async def test_table_shows_blinds_button_board_and_legal_amounts() -> None:
    async with sitting_down(ordered()) as person:
        await person.asked()
        await person.sees("▶ you (D)", "caller: blind 5", "caller 2: blind 10", "puts in 20 of 20-1000")
        await person.reads("caller 2 posts 10.")
        await person.press("f3")
        await person.asked()
        board = person.turn.board
        assert len(board) == 3
        await person.sees("flop", "┌───┐┌───┐┌───┐", "puts in 10 of 10-990")
        await person.press("2")
        await person.sees("puts in 60 of 10-990", "F4 Bet 60")
        await person.press("1")
        await person.sees("puts in 30 of 10-990")
        await person.press("3")
        await person.sees("F4 All in 990")
        await person.press("f4")
        await person.until(lambda: person.table.waiting is not None)
        await person.reads("You are all in.")
        await person.sees("next hand.")


@on_asyncio
@pytest.mark.parametrize("opponents", [1, 9])
async def test_seats_from_two_to_ten(opponents: int) -> None:
    async with sitting_down(ordered(opponents)) as person:
        await person.asked()
        await person.sees("you", *["caller" if seat == 1 else f"caller {seat}" for seat in range(1, opponents + 1)])
        await person.call_to_the_end_of_the_hand()
        await person.sees("next hand.", "┌───┐┌───┐┌───┐┌───┐┌───┐")


@pytest.mark.parametrize(("preset", "most"), [("none", 9), ("cornell", 7), ("royale", 6)])
def test_seats_of_presets(preset: str, most: int) -> None:
    check(ordered(most, preset=preset))
    with pytest.raises(OptionError, match=f"against 1 to {most} opponents, got {most + 1}"):
        check(ordered(most + 1, preset=preset))


def test_presets_set_stacks_bets_and_hands() -> None:
    royale, cornell = ordered(preset="royale"), ordered(preset="cornell")
    assert (royale.agreed.stack, royale.most_hands) == (1000, 25)
    assert (cornell.agreed.stack, cornell.most_hands) == (5000, 10_000)
    assert Order("holdem", "x", hands=3, options={"preset": "royale"}).most_hands == 3


@on_asyncio
async def test_royale_offers_one_raise_and_no_blinds() -> None:
    async with sitting_down(ordered(preset="royale")) as person:
        await person.asked()
        await person.sees("pot 0", "puts in 25 of 25-25", "F3 Check")


@on_asyncio
@pytest.mark.parametrize("preset", ["cornell", "royale"])
async def test_suits_are_named_as_in_the_game(preset: str) -> None:
    named = preset == "cornell"

    async with sitting_down(ordered(preset=preset)) as person:
        await person.asked()
        assert all((text in person.screen) == named for text in ("♠ Clarkson  ♥ Gries", "♦ Dijkstra", "♣ George"))
        lines = person.table.query_one(History).lines
        assert any(line.startswith("The suits: ♠") for line in lines) == named
        await person.press("f8")
        await person.until(lambda: person.app.screen is not person.table)
        assert ("♦ Dijkstra" in person.screen) == named


class UnequalGame(HoldemGame):
    """A game whose players begin with 1000, 500 and 200 chips."""

    def start(self, players: int) -> HoldemMatch:
        return replace(HoldemGame.start(self, players), stacks=(1000, 500, 200))


def test_side_pots_and_uncalled_chips_are_told() -> None:
    news = told(UnequalGame(), Scripted(most), Scripted(most), hands=1, person=most)
    scenes = [item.scene for item in news if isinstance(item, Shown)]
    sides = [scene for scene in scenes if scene.table.pots]
    pots = [[chips for chips, _ in scene.table.pots] for scene in sides]
    assert all(sum(chips) == scene.table.pot and len(chips) > 1 for chips, scene in zip(pots, sides, strict=True))
    assert pots[-1] == [600, 600]
    assert "pot 1200 (600 + 600)" in painted(sides[-1], 80, 15).plain
    assert any(view.all_in for scene in scenes for view in scene.table.seats)
    lines = [item.line for item in news if isinstance(item, Said)]
    assert "You get 500 back, which nobody called." in lines
    assert isinstance(news[-1], Ended)


def test_headline_names_all_winners() -> None:
    news = told(GAME, Caller(Random(1)), Caller(Random(2)), Caller(Random(3)), hands=60, seed="ties")
    headlines = [item.scene.headline for item in news if isinstance(item, Shown) and item.scene.headline]
    assert any(" wins " in line or "You win" in line for line in headlines)
    shared = [line for line in headlines if ", " in line.split(":")[0]]
    assert shared
    assert all(line.count("win") >= 2 for line in shared)


def test_call_that_takes_all_chips_is_weighed_by_what_it_can_win() -> None:
    """Two others have put in 1000 each; 100 chips can win 300 of that."""
    short = Scripted(lambda turn: Bet(max(turn.legal().raises, default=turn.owed)))
    news = told(HoldemGame(stack=100), short, Caller(Random(2)), hands=1)
    spots = [item.spot for item in news if isinstance(item, Shown) and item.spot]
    assert all(spot.pot + spot.owed <= 300 for spot in spots)


def test_chances_on_the_turn_are_exact() -> None:
    spot = Spot(GAME, parse_cards("KS KD"), ((),), (), 60, 20, parse_cards("2C 9H JD JC"))
    seen = {*spot.own, *spot.board}
    best = tied = deals = 0
    for first, second, river in permutations([card for card in DECK if card not in seen], 3):
        board = (*spot.board, river)
        mine, other = poker_strength((*spot.own, *board)), poker_strength((first, second, *board))
        deals, best, tied = deals + 1, best + (mine > other), tied + (mine == other)
    counted = load_seat("holdem").chances(spot, Random(1))
    assert counted.error == 0
    assert counted.name == "two pair, kings and jacks"
    assert counted.best == pytest.approx(best / deals)
    assert counted.tied == pytest.approx(tied / deals)
    assert counted.price == pytest.approx(20 / 80)


def test_chances_before_the_flop_agree_with_the_known_equity() -> None:
    """Two aces win 84.93 % and share 0.54 % against one random hand."""
    spot = Spot(GAME, parse_cards("AS AD"), ((),), (), 15, 10)
    counted = load_seat("holdem").chances(spot, Random(1))
    assert counted.name == "a pair of aces"
    assert counted.best == pytest.approx(0.8493, abs=2 * counted.error)


def long_scene(*pots: int) -> PersonScene:
    """Four seats at the river, with as many pots."""
    names = [f"player {number}" for number in range(4)]
    scene = scene_of(GAME, names, [SeatScene(number, 100, hidden=2) for number in range(4)])
    table = scene.table
    table.street, table.pot, table.board = 4, 1000, ("KC", "10S", "10H", "10D", "QC")
    table.pots = tuple([(chips, ()) for chips in pots])
    return scene


@pytest.mark.parametrize(("width", "height"), [(80, 15), (60, 12), (48, 11), (40, 11)])
def test_board_and_pots_are_whole_on_narrow_terminals(width: int, height: int) -> None:
    text = painted(long_scene(), width, height).plain
    assert [text.count(card) for card in ("K♣", "10♠", "10♥", "10♦", "Q♣")] == [1] * 5
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    if width >= 60:
        sides = "(400 + 300 + 200 + 100)" if width >= 80 else "(400+300+200+100)"
        assert sides in painted(long_scene(400, 300, 200, 100), width, height).plain


@on_asyncio
@pytest.mark.parametrize("size", [(40, 24), (60, 20), (80, 24)])
async def test_controls_fit_on_narrow_terminals(size: tuple[int, int]) -> None:
    """A person calls for nearly all chips, and then has no raise left."""

    order = Order("holdem", "holdem", ("maniac",), 5, options={"stack": 100}, speed="none")
    async with sitting_down(order, size) as person:
        while await person.asked_in_this_hand():
            raises = person.turn.legal().raises
            await person.sees("F2 Fold", "F3 Call" if person.turn.owed else "F3 Check", "F4 ")
            if raises:
                await person.press("3")
                await person.sees("F4 All in" if raises[-1] == person.turn.stack else "F4 ")
            assert "-" not in str(person.table.query_one("#raise", Button).label)
            await person.press("f3")
        history = person.table.query_one(History)
        assert history.size.width >= 20


@on_asyncio
@pytest.mark.parametrize("big_blind", [50, 500])
async def test_the_largest_raise_can_be_read(big_blind: int) -> None:
    order = ordered(9, stack=10 * big_blind, big_blind=big_blind)
    async with sitting_down(order, (50, 24)) as person:
        await person.asked()
        for columns in (50, 60, 80):
            await person.pilot.resize_terminal(columns, 24)
            await person.sees(f"{2 * big_blind}-{10 * big_blind}")


def test_the_last_chip_is_lost() -> None:
    news = told(HoldemGame(stack=10), Scripted(most), hands=20, person=most)
    ended = news[-1]
    assert isinstance(ended, Ended)
    assert ended.reason in ("You are out: you have no chips left.", "You have won, with 20 chips.")


DICE_GAME = DiceGame()


def test_dice_are_drawn_with_their_pips() -> None:
    for die in DICE:
        picture = "\n".join(line.plain for line in drawn((die,), 0, (), "big"))
        assert picture.count("●") == die.pips
        assert [line.plain for line in drawn((), 0, (die,), "box")][1] == f"│ {die.text} │"
    assert words((*DICE[:2], BetSize(12, "B=12"))) == "1 2 B=12"
    assert [line.plain.strip() for line in drawn((), 0, (BetSize(12, "B=12"),), "box")] == ["", "B=12", ""]


@pytest.mark.parametrize(("pips", "best"), [(1, 0.0), (4, 0.5), (6, 5 / 6)])
def test_chances_of_a_die(pips: int, best: float) -> None:
    spot = Spot(DICE_GAME, (DICE[pips - 1],), ((),), pot=14, owed=10, board=(BetSize(12, "B=12"),))
    chances = load_seat("dice").chances(spot, Random(1))
    assert (chances.best, chances.tied, chances.error) == (best, 1 / 6, 0.0)
    assert chances.price == pytest.approx(10 / 24)
    assert f"\nbest die {best:.1%}, shared 16.7%\n" in chances_text(chances)


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
    assert move(Bet(8), 8, 0, pay_word="bet") == "bet 8"
    assert load_seat("holdem").pay_word(None) == "call"
