"""The rules of three-card stud, each as an example: betting, and who gets the pot. Hole cards come first.

Then how stacks move from hand to hand. What is true of every hand of any game is in ``tests/contract``.
"""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given

from protocol.cards import Card, parse_cards
from protocol.games.base import FOLD, Action, Bet, IllegalAction, Settlement, Status
from protocol.games.blockhead import BlockheadGame
from protocol.games.stakes import Antes
from protocol.games.stud import DEFAULT_ANTE, DEFAULT_STACK, StudGame, StudHand, StudMatch, StudTurn, deal
from tests.contract.playouts import moments
from tests.protocol.helpers import deck_of, decks, play, players, small_stacks

#: Seat 0 opens both streets; nobody has a pair or a spade.
FOUR = deck_of("2C AH 3D", "4C KH 5D", "6C QH 7D", "8C JH 9C")

TWO = deck_of("2C AH 3D", "4C KH 5D")


def test_seat_antes_and_sees_hole_card_and_up_cards() -> None:
    hand = deal(FOUR, [500] * 4)
    assert (hand.pot, hand.stacks, hand.to_act) == (4, (499,) * 4, 0)
    hole, up = parse_cards("4C KH")
    shown = tuple((card,) for card in parse_cards("AH KH QH JH"))
    assert hand.view(1) == StudTurn(1, 499, 4, 0, hole, (up,), shown)


def test_a_tournament_starts_with_500_chips_and_an_ante_of_1() -> None:
    assert (DEFAULT_STACK, DEFAULT_ANTE) == (500, 1)
    assert deal(TWO, [10, 10], ante=3).pot == 6


def test_assignment_betting_example_ends_the_street() -> None:
    """Amit, Brian, Carlos and Denise are the seats 0 to 3; amounts are chips put in now."""
    hand = deal(FOUR, [500] * 4)
    steps: list[tuple[int, int, Action]] = [
        (0, 0, Bet(10)),  # Amit bets $10
        (1, 10, Bet(15)),  # Brian raises to $15
        (2, 15, FOLD),  # Carlos folds
        (3, 15, Bet(15)),  # Denise sees the $15 bet
        (0, 5, Bet(15)),  # Amit adds $5 to match Brian's bet and also adds $10 more, raising the total to $25
        (1, 10, Bet(10)),  # Brian adds $10, to "see" the $25 bet
        (3, 10, FOLD),  # Denise folds
    ]
    for seat, owed, action in steps:
        assert (hand.to_act, hand.number, hand.view(seat).owed) == (seat, 1, owed)
        hand = hand.apply(action)
    assert hand.number == 2
    assert hand.pot == 4 + 25 + 25 + 15
    assert hand.stacks == (474, 474, 499, 484)
    assert [hand.view(seat).owed for seat in hand.street.live] == [0, 0]


@pytest.mark.parametrize(
    ("ups", "opener"),
    [
        (("AD", "AH", "AS", "AC"), 2),
        (("AD", "AH", "KS", "AC"), 1),
        (("AD", "KH", "KS", "AC"), 0),
        (("QD", "KH", "KS", "AC"), 3),
        (("9S", "10C", "3S", "2S"), 1),
    ],
)
def test_the_highest_up_card_opens_and_suits_break_ties(ups: tuple[str, ...], opener: int) -> None:
    rest = [("2C", "3C"), ("4C", "5C"), ("6C", "7C"), ("8C", "9C")]
    hand = deal(deck_of(*(f"{hole} {up} {third}" for (hole, third), up in zip(rest, ups, strict=True))), [9] * 4)
    assert hand.to_act == opener


def test_opener_of_street_2_has_not_folded_and_the_highest_card_comes_before_a_pair() -> None:
    hand = play(deal(FOUR, [500] * 4), FOLD, Bet(0), Bet(0), Bet(0))
    assert (hand.number, hand.to_act, hand.street.queue) == (2, 1, (1, 2, 3))
    hand = deal(deck_of("2C KH 3D", "AS QH QD", "7C 4C AD"), [500] * 3)
    assert (hand.to_act, play(hand, Bet(0), Bet(0), Bet(0)).to_act) == (0, 2)


@pytest.mark.parametrize(
    ("stacks", "bets", "legal"),
    [
        ([500, 500], [7], range(7, 18)),
        ([500, 10], [7], range(7, 10)),
        ([500] * 2, [], range(11)),  # a fold is allowed even when nothing is owed
        ([500, 500, 6, 500], [5, 5], [5]),  # a seat that owes its whole stack is asked
    ],
)
def test_a_bet_is_what_is_owed_and_at_most_10_more_or_the_stack(
    stacks: list[int], bets: list[int], legal: Sequence[int]
) -> None:
    hand = play(deal(FOUR if len(stacks) == 4 else TWO, stacks), *map(Bet, bets))
    assert hand.to_act == len(bets)
    assert list(hand.legal()) == [FOLD, *map(Bet, legal)]
    assert hand.view(len(bets)).legal() == hand.legal()


@pytest.mark.parametrize(
    ("stack", "owed", "amount", "reason"),
    [
        (500, 7, 6, "you bet 6 but owe 7: bet 7 to call, up to 17 to raise, or fold"),
        (500, 7, -1, "you bet -1 but owe 7"),
        (500, 7, 18, "you bet 18, more than 10 above the 7 you owe: bet 7 to 17, or fold"),
        (10, 7, 10, "you bet 10 but have only 9 chips: bet 7 to call, up to 9 to raise, or fold"),
        (2, 1, 2, "you bet 2 but have only 1 chip: bet 1 to call or fold"),
    ],
)
def test_an_illegal_bet_is_explained(stack: int, owed: int, amount: int, reason: str) -> None:
    hand = play(deal(TWO, [500, stack]), Bet(owed))
    with pytest.raises(IllegalAction, match=reason):
        hand.apply(Bet(amount))


def test_raises_are_capped_by_nothing_but_the_stack() -> None:
    hand = play(deal(TWO, [501, 501]), Bet(10), *[Bet(20)] * 48)
    assert (hand.number, hand.stacks) == (1, (10, 20))
    hand = play(hand, Bet(20))
    assert list(hand.legal()) == [FOLD, Bet(10)]
    hand = hand.apply(Bet(10))
    assert (hand.to_act, hand.pot, hand.stacks) == (None, 1002, (0, 0))


def test_a_seat_that_owes_more_than_its_stack_is_folded_unasked() -> None:
    hand = play(deal(FOUR, [500, 500, 5, 500]), Bet(5), Bet(5))
    assert hand.to_act == 3
    assert 2 not in hand.street.live
    assert hand.stacks[2] == 4


def test_empty_stack_that_owes_nothing_checks_unasked() -> None:
    hand = play(deal(FOUR, [500, 1, 500, 500]), Bet(0))
    assert hand.to_act == 2
    assert 1 in hand.street.live
    hand = play(hand, Bet(0), Bet(0))
    assert (hand.number, hand.to_act) == (2, 0)
    hand = play(hand, Bet(0), Bet(0), Bet(0))
    assert (hand.to_act, hand.street.live) == (None, (0, 1, 2, 3))
    hand = deal(deck_of("2C AH 3D", "4C KH 4D"), [1, 1])
    assert (hand.to_act, hand.number, hand.stacks) == (None, 2, (0, 0))
    assert hand.settle().payoffs == (-1, 1)


@pytest.mark.parametrize(
    ("stacks", "actions", "street", "payoffs"),
    [
        ([500] * 4, [FOLD] * 3, 1, (-1, -1, -1, 3)),
        ([500, 500], [Bet(0), Bet(0), Bet(3), FOLD], 2, (1, -1)),
        ([500, 2], [Bet(2)], 1, (1, -1)),  # a fold that nobody was asked for
    ],
)
def test_a_fold_of_the_last_but_one_ends_the_hand(
    stacks: list[int], actions: list[Action], street: int, payoffs: tuple[int, ...]
) -> None:
    hand = play(deal(FOUR if len(stacks) == 4 else TWO, stacks), *actions)
    assert (hand.to_act, hand.number) == (None, street)
    assert [payoffs[seat] > 0 for seat in hand.street.live] == [True]
    assert hand.settle().payoffs == payoffs


def test_folded_seats_stay_in_bet1_and_leave_bet2() -> None:
    hand = play(deal(FOUR, [500] * 4), Bet(1), FOLD)
    assert hand.view(2).shown == tuple((card,) for card in parse_cards("AH KH QH JH"))
    hand = play(hand, Bet(1), Bet(1))
    assert hand.view(0).shown == (parse_cards("AH 3D"), parse_cards("QH 7D"), parse_cards("JH 9C"))
    assert hand.view(0).up == parse_cards("AH 3D")


def test_seat_folding_on_street_2_leaves_the_rest_of_it() -> None:
    hand = play(deal(FOUR, [500] * 4), Bet(0), Bet(0), Bet(0), Bet(0), Bet(3))
    assert hand.view(1).shown == tuple(map(parse_cards, ["AH 3D", "KH 5D", "QH 7D", "JH 9C"]))
    hand = hand.apply(FOLD)
    assert hand.view(2).shown == tuple(map(parse_cards, ["AH 3D", "QH 7D", "JH 9C"]))
    hand = play(hand, FOLD, Bet(5))
    assert hand.view(0).shown == tuple(map(parse_cards, ["AH 3D", "JH 9C"]))


def test_a_seat_folded_unasked_during_street_2_is_left_out_too() -> None:
    hand = play(deal(FOUR, [500, 500, 2, 500]), *[Bet(0)] * 4, Bet(3), Bet(3))
    assert hand.to_act == 3
    assert hand.view(3).shown == tuple(map(parse_cards, ["AH 3D", "KH 5D", "JH 9C"]))


def test_up_cards_are_listed_in_seat_order_with_every_opener() -> None:
    hand = deal(deck_of("2C 3D 4H", "4C KH AD", "7C 6S 6D"), [500] * 3)
    assert (hand.to_act, hand.view(1).shown) == (1, tuple((card,) for card in parse_cards("3D KH 6S")))
    hand = play(hand, Bet(0), Bet(0), Bet(0))
    assert (hand.to_act, hand.view(1).shown) == (1, tuple(map(parse_cards, ["3D 4H", "KH AD", "6S 6D"])))


@pytest.mark.parametrize("stacks", [[], [500], [500] * 18, [500, 0], [2, 500, 2]])
def test_wrong_seat_counts_or_poor_stacks_cannot_be_dealt(stacks: list[int]) -> None:
    with pytest.raises(ValueError, match="stud needs 2-17 seats with at least the ante"):
        deal(deck_of(), stacks, ante=1 if 0 in stacks else 3)


def showdown(*seats: str, ante: int = 1) -> Settlement:
    """The settlement when everybody has put in the ante and nothing more."""
    return deal(deck_of(*seats), [ante] * len(seats), ante).settle()


@pytest.mark.parametrize(
    ("ante", "seats", "shares"),
    [
        (5, ["2C AH AD", "3S KH QD"], (5, 5)),  # half the pot each for the best cards and the highest spade
        (1, ["2C AH AD", "3S KH QD", "4C JH 9D"], (2, 1, 0)),  # the odd chip of the split goes to the best hand
        (1, ["9C AH AD", "3S KH KD", "10S 4H 5D", "2S JH JD"], (2, 0, 2, 0)),  # a spade wins with any cards
        (1, ["2C AH AD", "3C KS QS"], (2, 0)),  # a spade on the table is no spade in the hole
        (1, ["2C AH AD", "3H KH QD", "4C JH 9D"], (3, 0, 0)),  # the whole pot without a spade
        (1, ["2S AH AD", "3C KH QD", "4C JH 9D"], (3, 0, 0)),  # the same seat may take both halves
        # Pot 7 * 3 = 21: 10 to the spade of seat 0, and 11 to the tie of 1 and 2, of which 2 acts first.
        (7, ["2S 6D 7D", "KC AD QD", "QH KD AS"], (10, 5, 6)),
        # Pot 10: 5 to the spade of seat 1; of the other 5 seat 0 gets the odd chip, since its AH opens.
        (5, ["KC AH QD", "KS AD QH"], (3, 7)),
    ],
)
def test_best_cards_and_highest_spade_share_the_pot(ante: int, seats: list[str], shares: tuple[int, ...]) -> None:
    settlement = showdown(*seats, ante=ante)
    assert settlement.shares == shares
    assert settlement.payoffs == tuple(share - ante for share in shares)


@pytest.mark.parametrize(
    ("seats", "actions", "payoffs"),
    [
        # A folded spade or hand wins nothing.
        (["AS AH AD", "3S KH QD", "4C JH 9D"], [FOLD, *[Bet(0)] * 4], (-1, 2, -1)),
        (["2S AH AD", "3C KH QD"], [Bet(10), Bet(20), FOLD], (-11, 11)),
        # Seats put in 1 + 10 + 5 each, pot 32: 16 to the pair of aces, 16 to the spade: nobody wins a chip.
        (["2C AH AD", "3S KH QD"], [Bet(10), Bet(10), Bet(5), Bet(5)], (0, 0)),
    ],
)
def test_bets_come_back_with_the_pot(seats: list[str], actions: list[Action], payoffs: tuple[int, ...]) -> None:
    assert play(deal(deck_of(*seats), [500] * len(seats)), *actions).settle().payoffs == payoffs


def test_tied_cards_share_and_first_from_opener_gets_odd_chip() -> None:
    """Seat 1 opens street 1 with its ace, but on street 2 seat 2 shows the ace of spades and seat 0 folds."""
    hand = deal(deck_of("5C 6D 7D", "KC AD QD", "QH KD AS"), [500] * 3)
    hand = play(hand, Bet(0), Bet(0), Bet(0))
    assert hand.street.live == (2, 0, 1)
    assert play(hand, Bet(0), FOLD, Bet(0)).settle().shares == (0, 1, 2)


def test_a_tied_hand_too_late_for_a_chip_has_lost() -> None:
    """Pot 4: 2 to the spade of seat 3, and 2 to three best hands, of which the first two in acting order get one."""
    settlement = showdown("KC AH QD", "KD AD QH", "KH AC QC", "2S 3D 4D")
    assert settlement.shares == (1, 1, 0, 2)
    assert [settlement.statuses()[seat].won for seat in range(4)] == [True, True, False, True]
    assert showdown("KC AD QD", "QH KD AS").cards == parse_cards("QH KD AS"), "those of the first from the opener"


def test_everybody_dealt_in_hears_the_best_hand_hole_card_first() -> None:
    settlement = showdown("4C JH 9D", "3S KH QD", "2C AH AD")
    cards = parse_cards("2C AH AD")
    assert [settlement.statuses()[seat] for seat in range(3)] == [
        Status(False, cards),
        Status(True, cards),
        Status(True, cards),
    ]


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


@given(decks, small_stacks, players)
def test_a_seat_is_asked_only_when_it_has_a_choice(deck: tuple[Card, ...], stacks: list[int], player: Random) -> None:
    *asked, _over = moments(deal(deck, stacks), player)
    for hand, _ in asked:
        assert hand.to_act is not None
        stack = hand.stacks[hand.to_act]
        assert stack > 0
        assert stack >= hand.legal().to_call


def test_a_match_starts_with_equal_stacks_and_everybody_seated() -> None:
    match = StudGame().start(3)
    assert (match.stacks, match.seated, match.ante) == ((500, 500, 500), (0, 1, 2), 1)
    left = match.without(1)
    assert (left.seated, left.stacks) == ((0, 2), (500, 500, 500)), "who leaves takes the chips along"
    assert StudGame(stack=10, ante=4).start(2).deal(deck_of()).pot == 8


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
    match = StudGame(stack=1).start(2)
    match = match.record(match.deal(deck_of("2C AH AD", "4C KH 5D")).settle())
    assert (match.seated, match.stacks) == ((0,), (2, 0))
    with pytest.raises(ValueError, match="2-17 seats"):
        match.deal(deck_of())


def test_the_stacks_of_hands_in_a_row_follow_from_each_other() -> None:
    match = StudGame(stack=20).start(2)
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
        BlockheadGame().start(2).charge(Antes(2))
