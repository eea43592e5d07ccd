"""Decisions of stud for tests of roll-outs."""

from dealer.practice.games.stud import PRACTICE
from dealer.practice.rollouts import Spot
from protocol.cards import DECK, Piece, parse_cards
from protocol.games.base import FOLD, Bet
from protocol.games.stud import StudHand, deal


def seen_at(hand: StudHand, seat: int) -> frozenset[Piece]:
    """All cards that a question shows."""
    return frozenset(PRACTICE.seen(hand.view(seat)))


def hand_with(cards: str, stacks: list[int]) -> StudHand:
    """A hand in which the seats get these cards."""
    first = parse_cards(cards)
    return deal([*first, *(card for card in DECK if card not in first)], stacks)


def before_the_last_call() -> Spot:
    """Seat 1 has two kings and owes 10 on street 2; its rival shows two jacks. A call ends the hand."""
    hand = hand_with("2H JS JD 3C KD KH", [100, 100])
    for action in (Bet(0), Bet(0), Bet(0), Bet(10)):
        hand = hand.apply(action)
    seat = hand.to_act
    assert seat is not None
    return Spot(hand, seat, FOLD, Bet(hand.view(seat).owed), seen_at(hand, seat))
