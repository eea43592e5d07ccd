"""Roll-outs: cards that the seat has seen stay, all others are dealt anew; the estimate is the mean over all deals."""

from dataclasses import replace
from random import Random
from statistics import fmean

from hypothesis import given
from hypothesis import strategies as st

from dealer.cli.house_bots import load_bot
from dealer.practice.games.stud import PRACTICE
from dealer.practice.rollouts import BotPlayer, Effort, Spot, Task, compare, play_out, redeal, roll_out
from protocol.cards import DECK
from protocol.estimates.intervals import mean
from protocol.games.base import FOLD, Action, Bet, Hand, Status
from protocol.games.stud import StudHand, StudTurn, deal
from tests.dealer.practice.spots import before_the_last_call, hand_with, seen_at


class Caller:
    """Puts in what is owed."""

    def __init__(self, rng: Random) -> None:
        pass

    def decide(self, turn: StudTurn) -> Action:
        return Bet(turn.owed)

    def hand_over(self, status: Status) -> None:
        pass


def caller(rng: Random) -> BotPlayer:
    return Caller(rng)


def stud_hand(hand: Hand) -> StudHand:
    assert isinstance(hand, StudHand)
    return hand


def every_deal(spot: Spot) -> list[StudHand]:
    """The hand once for each card that the only opponent may have in the hole."""
    unseen = [card for card in DECK if card not in spot.seen]
    assert len(unseen) == 52 - 5
    hands = []
    for hole in unseen:
        others = iter([hole, *(card for card in unseen if card != hole)])
        deck = [card if card in spot.seen else next(others) for card in stud_hand(spot.hand).deck]
        hands.append(stud_hand(spot.hand)._replace(deck=tuple(deck)))
    return hands


def test_estimate_is_the_mean_over_all_deals() -> None:
    """One hidden card: 47 deals are all there are, and the mean over them is what roll-outs estimate."""
    spot = before_the_last_call()
    exact = fmean(compare(spot, hand, load_bot(PRACTICE.teacher))[0].gain for hand in every_deal(spot))
    gains = [played.gain for played in roll_out(Task("stud", spot, "exact", Effort(1, 2000, 10**9)))]
    estimate = mean(gains)
    assert estimate is not None
    assert len(gains) == 2000
    assert estimate.low < exact < estimate.high
    assert estimate.high - estimate.low < 2.0


def test_exact_value_is_the_one_worked_out_by_hand() -> None:
    """Calling 10 ends the hand: 22 chips lie there, half of them for a spade in the opponent's hole.

    The opponent wins the cards' half with a jack only (JH, JC): two jacks are less than two kings.
    """
    spot = before_the_last_call()
    pot, worth = spot.hand.pot + 10, 0
    for hand in every_deal(spot):
        hole = hand.deck[3 * (1 - spot.seat)]
        loses = hole.rank == 11
        halves = pot // 2 if hole.suit == 3 else 0
        worth += (0 if loses else pot - halves) - 10
    exact = fmean(compare(spot, hand, load_bot(PRACTICE.teacher))[0].gain for hand in every_deal(spot))
    assert exact == worth / 47


@given(st.integers(0, 10**6), st.integers(2, 6))
def test_only_unseen_cards_are_dealt_anew(chance: int, seats: int) -> None:
    rng = Random(chance)
    cards = list(DECK)
    rng.shuffle(cards)
    hand = deal(cards, [100] * seats)
    seat = hand.to_act
    assert seat is not None
    seen = seen_at(hand, seat)
    again = stud_hand(redeal(PRACTICE, Spot(hand, seat, FOLD, Bet(0), seen), rng))
    assert sorted(again.deck) == sorted(DECK)
    assert again.view(seat) == hand.view(seat)
    assert all(new == old for new, old in zip(again.deck, hand.deck, strict=True) if old in seen)
    assert again.deck != hand.deck


def test_hidden_cards_do_not_influence_the_redeal() -> None:
    spot = before_the_last_call()
    other = replace(spot, hand=redeal(PRACTICE, spot, Random(1)))
    assert other.hand != spot.hand
    assert redeal(PRACTICE, other, Random(2)) == redeal(PRACTICE, spot, Random(2))


def test_same_chance_gives_same_rollouts() -> None:
    spot = before_the_last_call()
    one, same, other = (roll_out(Task("stud", spot, chance, Effort(20, 20, 0))) for chance in ("a", "a", "b"))
    assert one == same != other


def test_effort_ends_with_decisions_not_before_the_least() -> None:
    spot = before_the_last_call()
    raising = Spot(spot.hand, spot.seat, spot.better, Bet(20), spot.seen)
    assert len(roll_out(Task("stud", raising, "x", Effort(7, 100, 0)))) == 7
    assert 7 < len(roll_out(Task("stud", raising, "x", Effort(7, 100, 20)))) < 100
    assert len(roll_out(Task("stud", raising, "x", Effort(7, 9, 10**6)))) == 9


def test_fold_heads_up_takes_no_decision() -> None:
    spot = before_the_last_call()
    chips, decisions = play_out(spot.hand.apply(FOLD), spot.seat, caller)
    assert (chips, decisions) == (-1, 0)


def test_fold_among_others_takes_no_decision() -> None:
    hand = hand_with("2H JS JD 3C KD KH 4C 5C 6C", [100, 100, 100]).apply(Bet(5))
    seat = hand.to_act
    assert seat is not None
    assert play_out(hand.apply(FOLD), seat, caller) == (-1, 0)
    assert play_out(hand.apply(Bet(5)), seat, caller)[1] > 0
