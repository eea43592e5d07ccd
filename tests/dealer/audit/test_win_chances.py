"""Chances in hands whose betting is over early: known equities, PokerKit, every board by hand, and who is in."""

from collections.abc import Sequence
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import StandardHighHand

from dealer.audit.hands import Step
from dealer.audit.win_chances import run_outs, win_chances
from protocol.cards import DECK
from protocol.games.base import FOLD, Bet, Hand
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import HoldemHand
from protocol.games.stud import StudGame
from tests.protocol.games.test_holdem_pokerkit import text
from tests.protocol.helpers import deck_of

GAME = HoldemGame()
NO_LIMIT = Betting("no-limit", 10, 10)


def all_in(cards: str, stacks: Sequence[int], folds: Sequence[int] = ()) -> tuple[list[Step], HoldemHand]:
    """A hand in which everybody puts in all chips before the flop, but those who fold."""
    hand = deal(deck_of(cards), stacks, NO_LIMIT, button=0, blinds=(5, 10, *[0] * (len(stacks) - 2)))
    steps = []
    while (seat := hand.to_act) is not None:
        legal = hand.legal()
        action = FOLD if seat in folds else Bet(max(legal.raises, default=legal.to_call))
        steps.append(Step(hand, seat, action, 0.001, None))
        hand = hand.apply(action)
    return steps, hand


def chances(cards: str, stacks: Sequence[int], folds: Sequence[int] = (), street: int = 1) -> Sequence[float]:
    run_out = run_outs(*all_in(cards, stacks, folds), GAME)[street - 1]
    assert run_out.street == street
    return win_chances(run_out, len(stacks)).wins


@pytest.mark.parametrize(
    ("cards", "equity"), [("AS AD KH KC", 0.81255), ("AS AD KS KD", 0.82637), ("AS KS QH QD", 0.46214)]
)
def test_known_equities(cards: str, equity: float) -> None:
    """Before the flop; a tie counts as half."""
    wins = chances(cards, (1000, 1000))
    assert wins == pytest.approx((equity, 1 - equity), abs=0.00001)


@given(st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_same_winners_as_pokerkit_on_every_river(chance: Random) -> None:
    count = chance.randint(2, 4)
    cards = chance.sample(DECK, 2 * count + 4)
    steps, last = all_in(" ".join(card.text for card in cards), (100,) * count)
    turn = run_outs(steps, last, GAME)[2]
    won = [0.0] * count
    rivers = set(DECK) - set(cards)
    for river in rivers:
        board = text((*turn.board, river))
        hands = [StandardHighHand.from_game(text(last.hole(seat)), board) for seat in range(count)]
        best = [seat for seat in range(count) if hands[seat] == max(hands)]
        for seat in best:
            won[seat] += 1 / len(best) / len(rivers)
    counted = win_chances(turn, count)
    assert counted.wins == pytest.approx(won)


def test_cards_of_those_who_folded_may_still_come() -> None:
    """A king would save the second seat; that the folded seat holds two of them is not known at the table."""
    cards = "AS AD KS QD KH KC 2S 7D 9C 3H"
    wins = chances(cards, (100, 100, 100), folds=(2,), street=3)
    assert wins[2] == 0
    assert wins == pytest.approx((1.0, 0.0, 0.0))
    flop = run_outs(*all_in(cards, (100, 100, 100), folds=(2,)), GAME)[1]
    assert sum(flop.pots_won().values()) == comb(52 - 4 - 3, 2)


def test_chips_count_every_pot_that_a_seat_can_win() -> None:
    """The short stack cannot win the side pot of 180."""
    steps, last = all_in("AS AD KS KD QS QD 2C 7H 9D 3S 4C", (10, 100, 100))
    for street in run_outs(steps, last, GAME):
        counted = win_chances(street, 3)
        assert sum(counted.chips) == pytest.approx(210)
        assert counted.chips[0] == pytest.approx(30 * counted.wins[0])
        assert counted.chips[1] > 180 * 0.7


def test_no_chances_while_a_seat_can_act_or_only_one_is_in() -> None:
    steps, last = all_in("AS AD KS KD", (1000, 1000), folds=(0,))
    assert run_outs(steps, last, GAME) == []
    hand: Hand = deal(deck_of(), (1000, 1000), NO_LIMIT, button=0, blinds=(5, 10))
    steps = []
    while (seat := hand.to_act) is not None:
        steps.append(Step(hand, seat, Bet(hand.legal().to_call), 0.001, None))
        hand = hand.apply(Bet(hand.legal().to_call))
    assert run_outs(steps, hand, GAME) == []


def test_hand_without_a_choice_has_chances_from_the_deal() -> None:
    hand = deal(deck_of(), (5, 3), NO_LIMIT, button=0, blinds=(5, 10))
    assert [street.street for street in run_outs([], hand, GAME)] == [1, 2, 3]


def test_games_without_run_outs_have_none() -> None:
    match = StudGame().start(2)
    hand = match.deal(DECK)
    assert StudGame().run_out(hand, 1) is None
