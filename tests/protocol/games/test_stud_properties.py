"""What is true of every hand and tournament of stud, and how stacks move from hand to hand."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards import DECK, Card
from protocol.games.base import FOLD, Bet, Fold, Settlement
from protocol.games.blockhead import BlockheadMatch
from protocol.games.stakes import Antes
from protocol.games.stud import StudHand, StudMatch, deal
from tests.protocol.helpers import deck_of, play
from tests.protocol.strategies import decks, players, small_stacks


def choices(hand: StudHand, player: Random) -> Iterator[StudHand]:
    """The hand at each of its questions, answered by chance, and at its end.

    Calls are the most likely and folds rare, so that many hands see a showdown between many seats.
    """
    while hand.to_act is not None:
        yield hand
        fold, call, *raises = hand.legal()
        assert isinstance(fold, Fold)
        luck = player.random()
        hand = hand.apply(fold if luck < 0.04 else player.choice(raises) if raises and luck < 0.4 else call)
    yield hand


@settings(max_examples=150)
@given(small_stacks, st.integers(1, 3), players)
def test_chips_are_conserved_over_whole_tournaments(stacks: list[int], ante: int, player: Random) -> None:
    match, total = StudMatch(tuple(stacks), tuple(range(len(stacks))), ante), sum(stacks)
    for _ in range(40):
        if len(match.seated) < 2:
            break
        before = match
        in_play = sum(match.stacks[seat] for seat in match.seated)
        for hand in choices(match.deal(player.sample(DECK, 52)), player):
            assert sum(hand.stacks) + hand.pot == in_play
            assert min(hand.stacks) >= 0
        settlement = hand.settle()
        assert sum(settlement.payoffs) == 0
        assert sum(settlement.shares) == hand.pot
        assert all(seat in hand.street.live for seat, share in enumerate(settlement.shares) if share)
        match = match.record(settlement)
        assert sum(match.stacks) == total
        assert match.seated == tuple(seat for seat in before.seated if match.stacks[seat] >= ante)


@given(decks, small_stacks, players)
def test_a_seat_is_asked_only_when_it_has_a_choice(deck: tuple[Card, ...], stacks: list[int], player: Random) -> None:
    *asked, _over = choices(deal(deck, stacks), player)
    for hand in asked:
        assert hand.to_act is not None
        view = hand.view(hand.to_act)
        assert view.stack > 0
        assert view.stack >= view.owed
        assert view.legal() == hand.legal()


def test_a_match_starts_with_equal_stacks_and_everybody_seated() -> None:
    match = StudMatch.start(3)
    assert (match.stacks, match.seated, match.ante) == ((500, 500, 500), (0, 1, 2), 1)
    left = match.without(1)
    assert (left.seated, left.stacks) == ((0, 2), (500, 500, 500)), "who leaves takes the chips along"
    assert StudMatch.start(2, 10, ante=4).deal(deck_of()).pot == 8


def test_a_hand_moves_chips_between_the_players_seated_until_one_has_none_for_the_ante() -> None:
    match = StudMatch((5, 0, 7, 9), (0, 2, 3)).record(Settlement((-2, 3, -1), (), ()))
    assert match.stacks == (3, 0, 10, 8)
    match = StudMatch((5, 5, 5), (0, 1, 2), ante=3).record(Settlement((-2, -3, 5), (), ()))
    assert (match.seated, match.stacks) == ((0, 2), (3, 2, 10))


def test_the_next_hand_is_dealt_to_those_left_as_seats_in_order() -> None:
    hand = StudMatch((5, 0, 7), (0, 2)).deal(deck_of("2C AH 3D", "4C KH 5D"))
    assert hand.stacks == (4, 6)
    assert len(hand.view(0).shown) == 2


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


@pytest.mark.parametrize(
    ("seats", "button", "leaves", "after"),
    [(4, 2, 0, 1), (4, 2, 3, 2), (3, 1, 1, 1), (3, 2, 2, 0), (2, None, 0, None)],
)
def test_the_button_stays_with_its_player_or_passes_on(
    seats: int, button: int | None, leaves: int, after: int | None
) -> None:
    assert StudMatch((5,) * seats, tuple(range(seats)), button=button).release(leaves).button == after


def test_stakes_of_another_sort_are_refused() -> None:
    with pytest.raises(ValueError, match="does not play for the ante of 2"):
        BlockheadMatch.start(2).charge(Antes(2))
