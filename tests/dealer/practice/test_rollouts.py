"""Roll-outs: what the seat has seen stays, all else is dealt anew, and the estimate is that of all possible deals."""

from random import Random
from statistics import fmean

from hypothesis import given
from hypothesis import strategies as st

from dealer.practice.house import Player, teacher
from dealer.practice.rollouts import Effort, Spot, Task, compare, play_out, redeal, roll_out, with_unseen
from estimates.intervals import mean
from protocol.cards import DECK, Card
from protocol.games.base import FOLD, Action, Bet, Status
from protocol.games.stud import StudTurn, deal
from tests.dealer.practice.spots import before_the_last_call, hand_with


class Caller:
    """Puts in what is owed."""

    def __init__(self, rng: Random) -> None:
        pass

    def decide(self, turn: StudTurn) -> Action:
        return Bet(turn.owed)

    def hand_over(self, status: Status) -> None:
        pass


def caller(rng: Random) -> Player:
    return Caller(rng)


def every_deal(spot: Spot) -> list[tuple[Card, ...]]:
    """One deck for each card that the only rival may have in the hole."""
    unseen = [card for card in DECK if card not in spot.seen]
    assert len(unseen) == 52 - 5
    return [with_unseen(spot, iter([hole, *(card for card in unseen if card != hole)])) for hole in unseen]


def test_the_estimate_is_that_of_all_deals() -> None:
    """One hidden card: 47 deals are all there are, and the mean over them is what roll-outs estimate."""
    spot = before_the_last_call()
    exact = fmean(compare(spot, deck, teacher())[0] for deck in every_deal(spot))
    gains = roll_out(Task(spot, "exact", Effort(1, 2000, 10**9)))
    estimate = mean(gains)
    assert estimate is not None
    assert len(gains) == 2000
    assert estimate.low < exact < estimate.high
    assert estimate.high - estimate.low < 2.0


def test_the_exact_value_is_the_one_worked_out_by_hand() -> None:
    """Calling 10 ends the hand: 22 chips lie there, half of them for a spade in the rival's hole.

    The rival wins the cards' half with a jack only (JH, JC): two jacks are less than two kings.
    """
    spot = before_the_last_call()
    pot, worth = spot.hand.pot + 10, 0
    for deck in every_deal(spot):
        hole = deck[3 * (1 - spot.seat)]
        rival_has_it = hole.rank == 11
        halves = pot // 2 if hole.suit == 3 else 0
        worth += (0 if rival_has_it else pot - halves) - 10
    exact = fmean(compare(spot, deck, teacher())[0] for deck in every_deal(spot))
    assert exact == worth / 47


@given(st.integers(0, 10**6), st.integers(2, 6))
def test_only_what_was_not_seen_is_dealt_anew(chance: int, seats: int) -> None:
    rng = Random(chance)
    cards = list(DECK)
    rng.shuffle(cards)
    hand = deal(cards, [100] * seats)
    seat = hand.to_act
    assert seat is not None
    turn = hand.view(seat)
    seen = frozenset({turn.hole, *turn.up, *(card for up in turn.shown for card in up)})
    deck = redeal(Spot(hand, seat, FOLD, Bet(0), seen), rng)
    assert sorted(deck) == sorted(DECK)
    assert hand._replace(deck=deck).view(seat) == turn
    assert all(new == old for new, old in zip(deck, hand.deck, strict=True) if old in seen)
    assert deck != hand.deck


def test_the_same_chance_gives_the_same_roll_outs() -> None:
    spot = before_the_last_call()
    one, same, other = (roll_out(Task(spot, chance, Effort(20, 20, 0))) for chance in ("a", "a", "b"))
    assert one == same != other


def test_the_effort_ends_with_the_decisions_but_not_before_the_least() -> None:
    spot = before_the_last_call()
    raising = Spot(spot.hand, spot.seat, spot.better, Bet(20), spot.seen)
    assert len(roll_out(Task(raising, "x", Effort(7, 100, 0)))) == 7
    assert 7 < len(roll_out(Task(raising, "x", Effort(7, 100, 20)))) < 100
    assert len(roll_out(Task(raising, "x", Effort(7, 9, 10**6)))) == 9


def test_a_fold_needs_no_roll_out() -> None:
    spot = before_the_last_call()
    chips, decisions = play_out(spot.hand.apply(FOLD), spot.seat, caller)
    assert (chips, decisions) == (-1, 0)


def test_a_fold_among_others_is_known_at_once() -> None:
    hand = hand_with("2H JS JD 3C KD KH 4C 5C 6C", [100, 100, 100]).apply(Bet(5))
    seat = hand.to_act
    assert seat is not None
    assert play_out(hand.apply(FOLD), seat, caller) == (-1, 0)
    assert play_out(hand.apply(Bet(5)), seat, caller)[1] > 0
