"""By what a pot was won: the kind of the winning cards, in words."""

from collections.abc import Sequence

from dealer.audit.hands import ReplayedHand
from protocol.cards import Card
from protocol.games.blockhead import CARDS, BlockheadHand, BlockheadTurn, cards_value
from protocol.games.ranks import five_card_strength, three_card_strength
from protocol.games.stud import StudHand, StudTurn

FOLDED = "everybody else folded"
SPADE = "half to the spade in the hole"
SPLIT = "a tie that was split"

STUD_KINDS = ("high card", "pair", "three of a kind")
POKER_KINDS = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
SUMS = ("up to 34", "35 to 39", "40 to 44", "45 to 49", "50")
"""What five cards of Blockhead add up to; 50 is the most."""

KINDS = (FOLDED, *dict.fromkeys((*POKER_KINDS, *STUD_KINDS, *SUMS)), SPADE, SPLIT)
"""Every kind, in the order in which figures show them."""


def ways_of_winning(played: ReplayedHand) -> dict[int, str]:
    """For each seat that collected something of the pot, by what; a tie that is carried over is nobody's."""
    hand, shares = played.last, played.settlement.shares
    seats = [seat for seat, share in enumerate(shares) if share]
    if played.settlement.tied:
        return dict.fromkeys(seats, SPLIT)
    match hand:
        case StudHand():
            return {seat: _way_in_stud(hand, seat) for seat in seats}
        case BlockheadHand():
            return {seat: _way_in_blockhead(hand, seat) for seat in seats}
    raise TypeError(f"no kinds of cards are known of {type(hand).__name__}")


def cards_seen(played: ReplayedHand, seat: int) -> tuple[Card, ...]:
    """A seat's own cards as far as it saw them, hole card first: who folds is not shown what comes later."""
    hand = played.last
    match hand:
        case StudHand():
            first, least, most = 3 * seat, 2, 1 + hand.number
        case BlockheadHand():
            first, least, most = CARDS * seat, 3, 2 + hand.number
        case _:
            raise TypeError(f"no cards are known of {type(hand).__name__}")
    if seat in hand.street.live:
        return hand.deck[first : first + most]
    last = next((step for step in reversed(played.steps) if step.seat == seat), None)
    if last is None:
        return hand.deck[first : first + least]
    turn = last.before.view(seat)
    assert isinstance(turn, StudTurn | BlockheadTurn)
    return turn.hole, *turn.up


def _way_in_stud(hand: StudHand, seat: int) -> str:
    live = hand.street.live
    if len(live) == 1:
        return FOLDED
    strengths = {other: three_card_strength(hand.deck[3 * other : 3 * other + 3]) for other in live}
    return STUD_KINDS[strengths[seat] >> 12] if strengths[seat] == max(strengths.values()) else SPADE


def _way_in_blockhead(hand: BlockheadHand, seat: int) -> str:
    if len(hand.street.live) == 1:
        return FOLDED
    cards = hand.deck[CARDS * seat : CARDS * (seat + 1)]
    return _sum_kind(cards) if hand.ranks == "blockhead" else POKER_KINDS[five_card_strength(cards) >> 40]


def _sum_kind(cards: Sequence[Card]) -> str:
    return SUMS[max(0, cards_value(cards) // 5 - 6)]
