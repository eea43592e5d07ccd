"""The rules of Blockhead Poker, sentence by sentence of the assignment and of the decisions on it.

Then its text. What is true of every hand of any game is in ``tests/contract``.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cards import Card, parse_card, parse_cards
from protocol.games.base import FOLD, Action, Bet, IllegalAction, Legal
from protocol.games.blockhead import (
    BlockheadGame,
    BlockheadHand,
    BlockheadTurn,
    card_value,
    cards_value,
    deal,
)
from protocol.wire.codec import decode_command, encode
from protocol.wire.messages import GameInfo, ProtocolError
from tests.protocol.helpers import cards, deck_of, play, shuffled_deck

CHECK = Bet(0)
#: Worth 40 and 35.
HIGH, LOW = "KS 9H 8D 7C 6C", "AS JH QD 5C 9C"


def heads_up(first: str = HIGH, second: str = LOW, **agreed: int) -> BlockheadHand:
    return deal(deck_of(first, second), [1000, 1000], **agreed)  # type: ignore[arg-type]


def checked_down(hand: BlockheadHand) -> BlockheadHand:
    while hand.to_act is not None:
        hand = hand.apply(CHECK)
    return hand


def decks(game: int) -> list[tuple[object, ...]]:
    return [shuffled_deck(bytes(32), game, hand) for hand in range(1, 100)]


@pytest.mark.parametrize(("card", "value"), [("AS", 1), ("2D", 2), ("9C", 9), ("10H", 10), ("JS", 10), ("KD", 10)])
def test_an_ace_counts_one_and_a_face_ten(card: str, value: int) -> None:
    assert card_value(parse_card(card)) == value
    assert cards_value(parse_cards(f"{card} 10H JS QD KC")) == value + 40


def test_the_buy_in_is_ten_each_and_two_cards_are_up() -> None:
    hand = heads_up()
    assert (hand.stacks, hand.pot) == ((990, 990), 20)
    assert hand.view(0).up == parse_cards("9H 8D")
    assert hand.view(0).others == (parse_cards("JH QD"),)


def test_the_opener_of_street_1_opens_every_street_which_two_checks_end() -> None:
    hand = heads_up(opener=1)
    openers = []
    while hand.to_act is not None:
        openers.append((hand.number, hand.to_act))
        hand = play(hand, CHECK, CHECK)
    assert openers == [(1, 1), (2, 1), (3, 1)]


@pytest.mark.parametrize(("amount", "raises"), [(0, 0), (1, 1), (10, 1)])
def test_with_nothing_to_pay_zero_is_a_check_and_more_a_raise(amount: int, raises: int) -> None:
    assert play(heads_up(), Bet(amount)).raises == raises


@pytest.mark.parametrize(
    ("before", "action", "reason"),
    [
        ((), FOLD, "you folded although you owe nothing: bet 0 to check, 1 to 10 to raise"),
        ((7,), CHECK, "you bet 0 but owe 7"),
        ((10, 15, 6), Bet(2), "3 raises were made on this street: bet 1 to call, or fold"),
        ((), Bet(11), "you bet 11, more than 10 above the 0 you owe"),
        ((), Bet(500), "you bet 500, more than 10 above the 0 you owe"),
    ],
)
def test_a_forbidden_action_is_explained(before: tuple[int, ...], action: Action, reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        play(heads_up(), *map(Bet, before), action)


def test_raise_is_answered_by_fold_call_or_raise() -> None:
    raised = play(heads_up(), Bet(7))
    assert raised.legal() == Legal(7, range(8, 18))
    assert play(raised, Bet(7)).number == 2
    assert play(raised, Bet(12)).view(0).owed == 5
    assert play(raised, FOLD).to_act is None


def test_after_three_raises_only_a_call_or_a_fold_is_left_on_this_street() -> None:
    hand = play(heads_up(), Bet(10), Bet(15), Bet(6))
    assert hand.view(1).max_raise == 0
    assert list(hand.legal()) == [FOLD, Bet(1)]
    hand = hand.apply(Bet(1))
    assert (hand.number, hand.raises, hand.bets, hand.view(0).max_raise) == (2, 0, (), 10)


def test_chips_may_go_below_zero() -> None:
    hand = play(deal(deck_of(HIGH, LOW), [5, 1995]), Bet(10))
    assert hand.stacks[0] == -15


def test_fold_gives_the_pot_away_and_shows_no_hole_card() -> None:
    settlement = play(heads_up(), Bet(10), FOLD).settle()
    assert settlement.payoffs == (10, -10)
    assert settlement.shown == ()
    assert settlement.cards == parse_cards("9H 8D")
    assert heads_up().concede().settle().payoffs == (-10, 10), "after a fault, even where a fold is forbidden"


def test_showdown_goes_to_the_larger_sum() -> None:
    settlement = checked_down(heads_up()).settle()
    assert settlement.payoffs == (10, -10)
    assert settlement.shown == ((0, parse_cards("KS")), (1, parse_cards("AS")))
    assert [settlement.statuses()[seat].won for seat in (0, 1)] == [True, False]
    hand = deal(deck_of("KS QH 9D 8C 7C", "2S 2H 3D 4C 5C"), [1000, 1000], ranks="poker")
    assert checked_down(hand).settle().payoffs == (-10, 10), "where cards are ranked as in poker, to the pair"


TIE = "KS 2H 3D 4C 5C", "9S 3H 2D 5D 5H"


def test_a_tied_pot_is_carried_to_the_next_hand() -> None:
    settlement = checked_down(heads_up(*TIE)).settle()
    assert (settlement.tied, settlement.carried, settlement.payoffs) == (True, 20, (-10, -10))
    match = BlockheadGame().start(2).record(settlement)
    assert match.deal(deck_of(HIGH, LOW)).pot == 40


@pytest.mark.parametrize(("opener", "shares"), [(0, (10, 11)), (1, (11, 10))])
def test_tied_pot_is_split_after_the_last_hand(opener: int, shares: tuple[int, int]) -> None:
    settlement = checked_down(heads_up(*TIE, opener=opener, carried=1, last=True)).settle()
    assert (settlement.shares, settlement.carried) == (shares, 0)


def test_a_game_has_twenty_hands_and_the_players_open_in_turn() -> None:
    match, openers = BlockheadGame().start(2), []
    for deck in decks(0):
        if match.over:
            break
        hand = match.deal(deck)  # type: ignore[arg-type]
        openers.append(hand.opener)
        assert hand.last == (len(openers) == 20)
        match = match.record(checked_down(hand).settle())
    assert openers == [0, 1] * 10
    assert sum(match.stacks) == 2000


def test_six_players_raise_three_times_between_them() -> None:
    hand = play(deal(shuffled_deck(bytes(32), 0, 1), [1000] * 6), Bet(1), Bet(2), Bet(3))
    assert (hand.legal().raises, hand.to_act, hand.legal().to_call) == (range(0), 3, 3)
    hand = play(hand, FOLD, FOLD, Bet(3), Bet(2), Bet(1))
    assert (hand.number, hand.street.live) == (2, (0, 1, 2, 5))


def test_too_many_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="blockhead needs 2-6 seats, got 7"):
        deal(shuffled_deck(bytes(32), 0, 1), [1000] * 7)


@given(st.integers(1, 3), st.integers(-9999, 9999), cards)
def test_a_stack_below_zero_is_told(street: int, stack: int, card: Card) -> None:
    turn = BlockheadTurn(street, stack, 20, 0, card, (card,) * (street + 1), ((card,) * (street + 1),), (), 10)
    assert decode_command(encode(turn), "blockhead") == turn


def test_a_game_is_announced_by_name_and_facts() -> None:
    info = GameInfo("blockhead", (("seat", "0"), ("hands", "20")))
    assert encode(info) == "game:blockhead:seat=0:hands=20"
    assert decode_command("game:blockhead:seat=0:hands=20") == info
    assert info["hands"] == "20"


@pytest.mark.parametrize("text", ["game:", "game:chess", "game:blockhead:seat", "game"])
def test_a_bot_refuses_a_game_it_does_not_know(text: str) -> None:
    with pytest.raises(ProtocolError, match="game needs one of blockhead, dice, holdem, stud"):
        decode_command(text)


@pytest.mark.parametrize(
    "text",
    [
        "bet1:990:20:0:KS:9H:8D:up:JH:QD:bets",
        "bet1:990:20:0:KS:9H:up:JH:QD:bets:raise:10",
        "bet2:990:20:0:KS:9H:8D:up:JH:QD:bets:raise:10",
        "bet1:990:20:0:KS:9H:8D:up:JH:QX:bets:raise:10",
        "bet1:990:20:0:KS:9H:8D:up:JH:QD:bets:0-10:raise:10",
        "bet1:990:20:-1:KS:9H:8D:up:JH:QD:bets:raise:10",
        "bet1:990:20:0:KS:9H:8D:bets:up:JH:QD:raise:10",
        "bet4:990:20:0:KS:9H:8D:up:JH:QD:bets:raise:10",
        "status:won:KS",
        "status:win:KS:show:0:KS",
    ],
)
def test_text_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        decode_command(text, "blockhead")
