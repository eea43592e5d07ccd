"""What practice knows of hold'em: which cards are dealt anew, what a decision costs, and the situations."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.practice.games.holdem import PRACTICE
from dealer.practice.rollouts import Effort, Spot, Task, redeal, roll_out
from protocol.cards import DECK, parse_cards
from protocol.games.base import FOLD, Bet
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import HoldemHand
from protocol.games.holdem_turn import HoldemTurn

BETTING = Betting("no-limit", 10, 10)


def river(cards: str) -> HoldemHand:
    """Seat 0 has bet 60 into a pot of 40 on the river, and seat 1 is to act."""
    first = parse_cards(cards)
    deck = [*first, *(card for card in DECK if card not in first)]
    hand = deal(deck, (200, 200), BETTING, button=1, blinds=(10, 5))
    for chips in (15, 10, 0, 0, 0, 0, 60):
        hand = hand.apply(Bet(chips))
    assert (hand.number, hand.to_act) == (4, 1)
    return hand


def spot(hand: HoldemHand) -> Spot:
    return Spot(hand, 1, FOLD, Bet(60), frozenset(PRACTICE.seen(hand.view(1))))


def test_fold_of_the_best_cards_costs_the_pot() -> None:
    """A royal flush wins 100 chips and gets its 60 back, whatever the opponent has."""
    played = roll_out(Task("holdem", spot(river("2C 7D AS KS QS JS 10S 3H 4D")), "a", Effort(20, 20, 0)))
    assert [result.gain for result in played] == [100] * 20


def test_call_with_the_worst_cards_costs_chips() -> None:
    hand = river("AC 7D 2D 3H QS JS 10S KS 4D")  # it plays the board, and wins half of it at most
    gains = [result.gain for result in roll_out(Task("holdem", spot(hand), "a", Effort(200, 200, 0)))]
    assert min(gains) == -60
    assert max(gains) <= 20


@given(st.integers(0, 10**6))
def test_only_unseen_cards_are_dealt_anew(chance: int) -> None:
    hand = river("2C 7D AS KS QS JS 10S 3H 4D")
    again = redeal(PRACTICE, spot(hand), Random(chance))
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
