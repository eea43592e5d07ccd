"""From hand to hand: stacks move, and who cannot ante is out."""

import pytest

from protocol.games.base import FOLD, Bet, Settlement
from protocol.games.blockhead import BlockheadMatch
from protocol.games.stakes import Antes
from protocol.games.stud import StudMatch
from tests.protocol.helpers import deck_of, play


def test_a_match_starts_with_equal_stacks_and_everybody_seated() -> None:
    match = StudMatch.start(3)
    assert (match.stacks, match.seated, match.ante) == ((500, 500, 500), (0, 1, 2), 1)


def test_a_hand_moves_chips_between_the_players_seated() -> None:
    match = StudMatch((5, 0, 7, 9), (0, 2, 3)).record(Settlement((-2, 3, -1), (), ()))
    assert match.stacks == (3, 0, 10, 8)


def test_a_player_with_no_chips_for_the_ante_is_out() -> None:
    match = StudMatch((5, 5, 5), (0, 1, 2), ante=3).record(Settlement((-2, -3, 5), (), ()))
    assert match.seated == (0, 2)
    assert match.stacks == (3, 2, 10)


def test_the_next_hand_is_dealt_to_those_left_as_seats_in_order() -> None:
    hand = StudMatch((5, 0, 7), (0, 2)).deal(deck_of("2C AH 3D", "4C KH 5D"))
    assert hand.stacks == (4, 6)
    assert len(hand.view(0).shown) == 2


def test_a_hand_of_the_match_takes_the_matchs_ante() -> None:
    assert StudMatch.start(2, 10, ante=4).deal(deck_of()).pot == 8


def test_a_player_who_leaves_takes_the_chips_along() -> None:
    match = StudMatch.start(3).without(1)
    assert (match.seated, match.stacks) == ((0, 2), (500, 500, 500))


def test_match_is_won_when_one_player_is_left() -> None:
    match = StudMatch.start(2, stack=1)
    match = match.record(match.deal(deck_of("2C AH AD", "4C KH 5D")).settle())
    assert (match.seated, match.stacks) == ((0,), (2, 0))
    with pytest.raises(ValueError, match="2-17 seats"):
        match.deal(deck_of())


def test_the_stacks_of_hands_in_a_row_follow_from_each_other() -> None:
    match = StudMatch.start(2, stack=20)
    deck = deck_of("2C AH AD", "4S KH 5D")
    match = match.record(play(match.deal(deck), Bet(10), FOLD).settle())
    assert match.stacks == (21, 19)
    match = match.record(play(match.deal(deck), Bet(10), Bet(10), Bet(1), Bet(8), FOLD).settle())
    assert match.stacks == (9, 31)


def test_the_button_stays_with_its_player() -> None:
    match = StudMatch((5, 5, 5, 5), (0, 1, 2, 3), button=2)
    assert match.release(0).button == 1
    assert match.release(3).button == 2


def test_the_button_passes_on_when_its_player_leaves() -> None:
    match = StudMatch((5, 5, 5), (0, 1, 2), button=1)
    assert match.release(1).button == 1
    assert StudMatch((5, 5, 5), (0, 1, 2), button=2).release(2).button == 0


def test_a_game_without_a_button_has_none() -> None:
    assert StudMatch((5, 5), (0, 1)).release(0).button is None


def test_stakes_of_another_sort_are_refused() -> None:
    with pytest.raises(ValueError, match="does not play for the ante of 2"):
        BlockheadMatch.start(2).charge(Antes(2))
