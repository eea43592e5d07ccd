"""What practice knows of each game: cards that are dealt anew, what a decision costs, and the situations."""

from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.cli.house_bots import check_bots, load_bot
from dealer.errors import OptionError
from dealer.practice import game_practice
from dealer.practice.game_practice import GamePractice, find_practice
from dealer.practice.games import dice, holdem, stud
from dealer.practice.games.holdem import PRACTICE
from dealer.practice.practice import practise
from dealer.practice.practice_flags import PracticeFlags
from dealer.practice.rollouts import Effort, Spot, Task, redeal, roll_out
from protocol.cards import DECK
from protocol.games.base import FOLD, Bet, Hand
from protocol.games.dice import Dice, DiceHand
from protocol.games.dice import deal as roll
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import HoldemHand
from protocol.games.holdem_turn import HoldemTurn
from tests.protocol.helpers import deck_of


@pytest.mark.parametrize(
    ("game", "practice"), [("dice", dice.PRACTICE), ("holdem", holdem.PRACTICE), ("stud", stud.PRACTICE)]
)
def test_game_is_known_and_its_teacher_plays_it(game: str, practice: GamePractice) -> None:
    assert find_practice(game) is practice
    check_bots([practice.teacher], game)
    assert callable(load_bot(practice.teacher))


def test_package_brings_practice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_practice, "load_installed", lambda *_: stud.PRACTICE)
    assert find_practice("leduc") is stud.PRACTICE


async def test_practice_of_unknown_game_starts_nothing() -> None:
    words = "^practice does not know blockhead yet; it knows dice, holdem, stud$"
    with pytest.raises(OptionError, match=words) as error:
        await practise("blockhead", ("x", "{port}"), PracticeFlags())
    assert error.value.exit_code == 2


def test_bot_of_another_game_is_refused() -> None:
    with pytest.raises(OptionError, match="the bot 'alpha' plays blockhead, not stud"):
        check_bots(["tight", "alpha"], "stud")


BETTING = Betting("no-limit", 10, 10)


def river(cards: str) -> HoldemHand:
    """Seat 0 has bet 60 into a pot of 40 on the river, and seat 1 is to act."""
    hand = deal(deck_of(cards), (200, 200), BETTING, button=1, blinds=(10, 5))
    for chips in (15, 10, 0, 0, 0, 0, 60):
        hand = hand.apply(Bet(chips))
    assert (hand.number, hand.to_act) == (4, 1)
    return hand


def spot(practice: GamePractice, hand: Hand) -> Spot:
    return Spot(hand, 1, FOLD, Bet(hand.legal().to_call), frozenset(practice.seen(hand.view(1))))


def test_fold_of_the_best_cards_costs_the_pot() -> None:
    """A royal flush wins 100 chips and gets its 60 back, whatever the opponent has."""
    played = roll_out(Task("holdem", spot(PRACTICE, river("2C 7D AS KS QS JS 10S 3H 4D")), "a", Effort(20, 20, 0)))
    assert [result.gain for result in played] == [100] * 20


def test_call_with_the_worst_cards_costs_chips() -> None:
    hand = river("AC 7D 2D 3H QS JS 10S KS 4D")  # it plays the board, and wins half of it at most
    gains = [result.gain for result in roll_out(Task("holdem", spot(PRACTICE, hand), "a", Effort(200, 200, 0)))]
    assert min(gains) == -60
    assert max(gains) <= 20


@given(st.integers(0, 10**6))
def test_only_unseen_cards_are_dealt_anew(chance: int) -> None:
    hand = river("2C 7D AS KS QS JS 10S 3H 4D")
    again = redeal(PRACTICE, spot(PRACTICE, hand), Random(chance))
    assert again.view(1) == hand.view(1)
    assert isinstance(again, HoldemHand)
    assert sorted(again.deck) == sorted(DECK)
    assert not set(again.hole(0)) & set(PRACTICE.seen(hand.view(1)))


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("2C 7D AS AD QS JS 10S 3H 4D", {"a pair in the hole"}),
        ("2C 7D AS QD QS JS 10S 3H 4D", {"a pair with the board"}),
        ("2C 7D AS KD QS JS 9S 3H 4D", {"no pair"}),
    ],
)
def test_situations_of_a_question(cards: str, expected: set[str]) -> None:
    turn = river(cards).view(1)
    assert isinstance(turn, HoldemTurn)
    assert {name for name, shows in PRACTICE.situations.items() if shows(turn)} == {
        "all",
        "facing a bet",
        "one opponent left",
        *expected,
    }


def called(bet: int, die: int, other: int) -> DiceHand:
    """Seat 0 has bet, and seat 1 is to act."""
    return roll(Dice().outcome(bytes([bet, other, die])), (1000, 1000)).apply(Bet(bet - 1))


def test_only_the_opponents_die_is_rolled_anew() -> None:
    hand = called(12, 4, 4)
    again = [redeal(dice.PRACTICE, spot(dice.PRACTICE, hand), Random(seed)) for seed in range(60)]
    assert all(one.view(1) == hand.view(1) for one in again)
    assert {one.hole(0)[0].text for one in again} == set("123456")


def test_fold_of_a_six_costs_the_bet() -> None:
    """A six wins 12 chips from five dice of six and nothing from the sixth, and a fold loses 2."""
    task = Task("dice", spot(dice.PRACTICE, called(12, 6, 1)), "a", Effort(600, 600, 0))
    gains = [played.gain for played in roll_out(task)]
    assert set(gains) == {14, 2}
    assert fmean(gains) == pytest.approx(12, abs=0.6)
