"""Who gets the pot of a hand of stud. The ante makes the pot; bets are left out where they change nothing."""

import pytest

from protocol.cards import parse_cards
from protocol.games.base import FOLD, Bet, Settlement, Status
from protocol.games.stud import StudHand, deal
from tests.protocol.helpers import deck_of, play


def showdown(*seats: str, ante: int = 1) -> Settlement:
    """The settlement when everybody has put in the ante and nothing more."""
    return deal(deck_of(*seats), [ante] * len(seats), ante).settle()


def test_best_cards_and_highest_spade_get_half_the_pot_each() -> None:
    settlement = showdown("2C AH AD", "3S KH QD", ante=5)
    assert settlement.shares == (5, 5)
    assert settlement.payoffs == (0, 0)


def test_the_odd_chip_of_the_split_goes_to_the_best_hand() -> None:
    assert showdown("2C AH AD", "3S KH QD", "4C JH 9D").shares == (2, 1, 0)


def test_highest_spade_in_the_hole_wins_with_any_cards() -> None:
    assert showdown("9C AH AD", "3S KH KD", "10S 4H 5D", "2S JH JD").shares == (2, 0, 2, 0)


def test_a_spade_on_the_table_is_no_spade_in_the_hole() -> None:
    assert showdown("2C AH AD", "3C KS QS").shares == (2, 0)


def test_best_cards_get_the_whole_pot_without_a_spade() -> None:
    assert showdown("2C AH AD", "3H KH QD", "4C JH 9D").shares == (3, 0, 0)


def test_the_same_seat_may_take_both_halves() -> None:
    assert showdown("2S AH AD", "3C KH QD", "4C JH 9D").shares == (3, 0, 0)


def test_a_folded_spade_or_hand_wins_nothing() -> None:
    hand = deal(deck_of("AS AH AD", "3S KH QD", "4C JH 9D"), [500] * 3)
    hand = play(hand, FOLD, Bet(0), Bet(0), Bet(0), Bet(0))
    assert hand.settle().shares == (0, 3, 0)


def test_tied_cards_share_and_first_from_opener_gets_odd_chip() -> None:
    """Seat 1 opens street 1 with its ace, but on street 2 seat 2 shows the ace of spades and seat 0 folds."""
    hand = deal(deck_of("5C 6D 7D", "KC AD QD", "QH KD AS"), [500] * 3)
    hand = play(hand, Bet(0), Bet(0), Bet(0))
    assert hand.street.live == (2, 0, 1)
    assert play(hand, Bet(0), FOLD, Bet(0)).settle().shares == (0, 1, 2)


def test_tied_hands_share_the_half_that_the_spade_leaves() -> None:
    """Pot 7 * 3 = 21: 10 to the spade of seat 0, and 11 to the tie of 1 and 2, of which 2 acts first."""
    settlement = showdown("2S 6D 7D", "KC AD QD", "QH KD AS", ante=7)
    assert settlement.shares == (10, 5, 6)


def test_tied_cards_with_the_spade_get_share_and_spade_half() -> None:
    """Pot 10: 5 to the spade of seat 1; of the other 5 seat 0 gets the odd chip, since its AH opens."""
    assert showdown("KC AH QD", "KS AD QH", ante=5).shares == (3, 7)


def test_a_tied_hand_too_late_for_a_chip_has_lost() -> None:
    """Pot 4: 2 to the spade of seat 3, and 2 to three best hands, of which the first two in acting order get one."""
    settlement = showdown("KC AH QD", "KD AD QH", "KH AC QC", "2S 3D 4D")
    assert settlement.shares == (1, 1, 0, 2)
    assert [settlement.statuses()[seat].won for seat in range(4)] == [True, True, False, True]


def test_everybody_dealt_in_hears_the_best_hand_hole_card_first() -> None:
    settlement = showdown("4C JH 9D", "3S KH QD", "2C AH AD")
    cards = parse_cards("2C AH AD")
    assert [settlement.statuses()[seat] for seat in range(3)] == [
        Status(False, cards),
        Status(True, cards),
        Status(True, cards),
    ]


def test_status_shows_tied_cards_of_the_first_from_opener() -> None:
    assert showdown("KC AD QD", "QH KD AS").cards == parse_cards("QH KD AS")


@pytest.mark.parametrize("bets_before", [0, 1])
def test_status_has_three_cards_when_everybody_else_folds(bets_before: int) -> None:
    """On street 1 the third card was dealt to nobody; the status has it all the same."""
    hand: StudHand = deal(deck_of("2C AH AD", "3S KH QD", "4C JH 9D"), [500] * 3)
    hand = play(hand, *[Bet(10)] * bets_before, *[FOLD] * 2)
    assert hand.number == 1
    winner = 0 if bets_before else 2
    cards = parse_cards("2C AH AD" if bets_before else "4C JH 9D")
    settlement = hand.settle()
    assert settlement.cards == cards
    assert [settlement.statuses()[seat].won for seat in range(3)] == [seat == winner for seat in range(3)]
    assert settlement.payoffs == ((2, -1, -1) if bets_before else (-1, -1, 2))


def test_last_seat_takes_the_pot_though_a_spade_was_folded() -> None:
    hand = play(deal(deck_of("2S AH AD", "3C KH QD"), [500, 500]), Bet(10), Bet(20), FOLD)
    assert hand.settle().payoffs == (-11, 11)


def test_bets_come_back_with_the_pot() -> None:
    """Seats put in 1 + 10 + 5 each, pot 32: 16 to the pair of aces, 16 to the spade: nobody wins a chip."""
    hand = deal(deck_of("2C AH AD", "3S KH QD"), [500, 30])
    settlement = play(hand, Bet(10), Bet(10), Bet(5), Bet(5)).settle()
    assert settlement.shares == (16, 16)
    assert settlement.payoffs == (0, 0)
