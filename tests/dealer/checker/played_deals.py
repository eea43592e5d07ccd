"""Play a deal of the checker without a program."""

from typing import NamedTuple

from dealer.checker.cases.deals import Deal, call
from protocol.games.base import Bet, Settlement, Turn


class Asked(NamedTuple):
    """A question, its street, and whether it is not the first on that street."""

    turn: Turn
    street: int
    again: bool


def played(deal: Deal) -> tuple[list[Asked], Settlement]:
    """The questions to a program that raises the least once a street and then calls, and how the hand ended."""
    hand, asked = deal.hand, list[Asked]()
    while (seat := hand.to_act) is not None:
        if seat != deal.seat:
            hand = hand.apply(deal.others(hand))
            continue
        again = hand.number in [earlier.street for earlier in asked]
        asked.append(Asked(hand.view(seat), hand.number, again))
        raises = hand.legal().raises
        action = Bet(raises[0]) if raises and not again else call(hand)
        deal.watch(asked[-1].turn, action)
        hand = hand.apply(action)
    settlement = hand.settle()
    deal.over(settlement)
    return asked, settlement
